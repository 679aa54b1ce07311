import { Histogram } from '../../../common/histogram.ts'
import type { LineCounts } from '../coverage/coverage.ts'
import { lineText } from '../coverage/lines-to-see.ts'
import { NotSentSums } from '../coverage/not-sent.ts'
import type { Lineage } from '../lineage.ts'
import { STRATA, type Stratum } from '../observation.ts'
import { BOUNDS, type Bounds, NamedSums, plus, Smallest } from './bounds.ts'
import { sumOf } from './call-account.ts'
import { CheckedWrites } from './checked-writes.ts'
import { Circumstances } from './circumstances.ts'
import { changeKey, DifferenceClasses, placeOf } from './difference-classes.ts'
import { DifferingUnits } from './differing-units.ts'

import type { OperationCounts } from './operation-counts.ts'
import { Patterns, patternId } from './patterns.ts'
import { outermost } from './period.ts'
import { Sketch } from './sketch.ts'

const TOTALS = ['failed', 'skipped', 'notDrawn', 'refusals', 'unitCalls', 'roundTrips', 'copied'] as const

/** The counts of an operation while counting; see `OperationCounts`. */
export interface OperationState {
  readonly totals: Record<(typeof TOTALS)[number], number>
  readonly skips: NamedSums
  readonly unjudged: NamedSums
  readonly judged: Record<Stratum, { matched: number; ignored: number; mismatched: number }>
  readonly classes: DifferenceClasses
  readonly patterns: Patterns
  readonly inputs: Smallest<number, true>
  readonly units: Sketch
  readonly differingUnits: DifferingUnits
  /** The number of exchanges by client. */
  readonly clients: Smallest<number, number>
  /** Called lists by their ids. */
  readonly lists: Smallest<number, ListCounts>
  readonly period: { since: number | null; until: number | null }
  readonly durations: { readonly control: Histogram; readonly candidate: Histogram }
  readonly droppedMembers: NamedSums
  readonly checked: CheckedWrites
  /** By `assumptionKey`. */
  readonly assumptions: Smallest<string, OperationCounts['assumptions'][number]>
  /** By the text of the line. */
  readonly coverage: Smallest<string, LineCounts>
  readonly notSent: NotSentSums
  readonly circumstances: Circumstances
}

/** The results of one lineage. */
export interface LineageState {
  readonly lineage: Lineage
  readonly state: OperationState
}

/** A list that was called. */
interface ListCounts {
  readonly says: string
  /** When it was last called, in ms since the epoch; null: unknown. */
  readonly lastAt: number | null
  /** How often it was compared. */
  readonly compared: number
}

const noneJudged = () => ({ matched: 0, ignored: 0, mismatched: 0 })

export function newState(bounds: Bounds = BOUNDS): OperationState {
  const judged = { content: noneJudged(), empty: noneJudged(), error: noneJudged() }
  const patterns = new Patterns(bounds, judged)
  return {
    totals: { failed: 0, skipped: 0, notDrawn: 0, refusals: 0, unitCalls: 0, roundTrips: 0, copied: 0 },
    skips: new NamedSums(bounds.reasons),
    unjudged: new NamedSums(bounds.reasons),
    judged,
    classes: new DifferenceClasses(bounds, {
      merged: (from, into) => patterns.merged(from, into),
      beyond: (place) => patterns.judgeFrom(place),
    }),
    patterns,
    inputs: new Smallest(bounds.inputs),
    units: new Sketch(),
    differingUnits: new DifferingUnits(),
    clients: new Smallest(bounds.clients),
    lists: new Smallest(bounds.lists),
    period: { since: null, until: null },
    durations: { control: new Histogram(), candidate: new Histogram() },
    droppedMembers: new NamedSums(bounds.droppedMembers),
    checked: new CheckedWrites(bounds),
    // There are no more of these than the mapping has lines.
    assumptions: new Smallest(Number.POSITIVE_INFINITY),
    coverage: new Smallest(Number.POSITIVE_INFINITY),
    notSent: new NotSentSums(bounds.notSent),
    circumstances: new Circumstances(bounds),
  }
}

export const assumptionKey = (line: {
  readonly part: string
  readonly change: string
  readonly legacy: string | null
}) => `${line.part} ${line.change} ${line.legacy}`

/** Returns the number of all exchanges. */
export function exchangesIn({
  failed,
  skipped,
  judged,
  patterns,
}: Pick<OperationCounts, 'failed' | 'skipped' | 'judged'> & {
  readonly patterns: readonly { readonly requests: number }[]
}): number {
  const settled = STRATA.reduce((sum, name) => sum + sumOf(judged[name]), 0)
  return patterns.reduce((sum, { requests }) => sum + requests, failed + skipped + settled)
}

/** Returns the counts as plain data, in an order that does not depend on the order of adding. */
export function exportState(operation: string, lineage: Lineage, state: OperationState): OperationCounts {
  const classes = state.classes.all()
  const indices = new Map(classes.map((one, at) => [one, at]))
  const { content, empty, error } = state.judged
  return {
    operation,
    lineage,
    ...state.totals,
    unjudged: state.unjudged.record(),
    skips: state.skips.record(),
    judged: { content: { ...content }, empty: { ...empty }, error: { ...error } },
    classes: classes.map((one) => ({ ...one, details: one.details.record() })),
    patterns: state.patterns.values().map(({ stratum, ignored, id, classes, requests }) => ({
      ...{ stratum, ignored, id, requests },
      classes: classes.flatMap((one) => indices.get(one) ?? []).sort((a, b) => a - b),
    })),
    unlisted: state.classes.unlisted,
    ...(state.classes.beyond !== undefined && { beyond: state.classes.beyond }),
    inputs: state.inputs.keys(),
    units: state.units.hashes(),
    ...state.differingUnits.export(),
    clients: state.clients.entries(),
    lists: state.lists.entries().map(([id, { says, lastAt, compared }]) => [id, says, lastAt, compared] as const),
    ...state.period,
    durations: { control: state.durations.control.counts(), candidate: state.durations.candidate.counts() },
    droppedMembers: state.droppedMembers.record(),
    ...(!state.checked.isEmpty && { checked: state.checked.counts() }),
    assumptions: state.assumptions.values(),
    coverage: state.coverage.values(),
    notSent: state.notSent.counts(),
    circumstances: state.circumstances.counts(),
  }
}

/** Adds the counts of one or more exchanges. The sum does not depend on the order or the portions in which counts are added. */
export function addCounts(state: OperationState, counts: OperationCounts): void {
  const { judged, period } = state
  for (const name of TOTALS) state.totals[name] += counts[name]
  for (const stratum of STRATA) {
    for (const outcome of ['matched', 'ignored', 'mismatched'] as const) {
      judged[stratum][outcome] += counts.judged[stratum][outcome]
    }
  }
  for (const name of ['unjudged', 'skips', 'droppedMembers'] as const) state[name].addAll(Object.entries(counts[name]))
  if (counts.checked !== undefined) state.checked.add(counts.checked)
  for (const input of counts.inputs) state.inputs.add(input, true, () => true)
  for (const unit of counts.units) state.units.add(unit)
  state.differingUnits.add(counts)
  for (const [client, requests] of counts.clients) state.clients.add(client, requests, plus)
  for (const [id, says, at, compared] of counts.lists) {
    state.lists.add(id, { says, lastAt: outermost(Math.max, at, null), compared }, sumOfLists)
  }
  period.since = outermost(Math.min, period.since, counts.since)
  period.until = outermost(Math.max, period.until, counts.until)
  for (const side of ['control', 'candidate'] as const) state.durations[side].addAll(counts.durations[side])
  for (const added of counts.assumptions) state.assumptions.add(assumptionKey(added), added, sumOfAssumptions)
  for (const added of counts.coverage) state.coverage.add(lineText(added), added, sumOfLines)
  state.notSent.addAll(counts.notSent)
  state.circumstances.add(counts.circumstances)
  addDifferences(state, counts)
}

const sumOfLists = (one: ListCounts, other: ListCounts): ListCounts => ({
  // Of different words for one list, such as those of two versions, the smallest are kept.
  says: one.says < other.says ? one.says : other.says,
  lastAt: outermost(Math.max, one.lastAt, other.lastAt),
  compared: one.compared + other.compared,
})

const sumOfAssumptions = <Counts extends OperationCounts['assumptions'][number]>(
  one: Counts,
  other: Counts,
): Counts => ({
  ...one,
  matched: one.matched + other.matched,
  differed: one.differed + other.differed,
})

const sumOfLines = (one: LineCounts, other: LineCounts): LineCounts => ({
  ...one,
  requests: one.requests + other.requests,
  differed: one.differed + other.differed,
})

/** Adds patterns last, because adding a class may remove another one. */
function addDifferences({ classes, patterns }: OperationState, counts: OperationCounts): void {
  if (counts.beyond !== undefined) classes.leaveOut(counts.beyond)
  classes.addUnlisted(counts.unlisted)
  const places = counts.classes.map(placeOf)
  for (const [at, added] of counts.classes.entries()) classes.add(places[at] as string, added)
  for (const { classes: shown, ...pattern } of counts.patterns) {
    const at = shown.filter((index) => index < places.length)
    const placesShown = at.map((index) => places[index] as string)
    const last = placesShown.reduce((last, place) => (place > last ? place : last), '')
    if (classes.beyond !== undefined && last >= classes.beyond) patterns.judge(pattern)
    else {
      const changes = at.map((index) => counts.classes[index] ?? {})
      patterns.add({
        ...pattern,
        id: pattern.id ?? patternId(pattern, placesShown, changes.map(changeKey)),
        last,
        classes: placesShown.flatMap((place, nth) => classes.at(place, changes[nth] ?? {}) ?? []),
      })
    }
  }
}

/** Adds up counts of one lineage of an operation, as plain data. The sum does not depend on the order. */
export function sumOfCounts(all: readonly OperationCounts[], bounds: Bounds = BOUNDS): OperationCounts {
  const { operation, lineage } = all[0] as OperationCounts
  const state = newState(bounds)
  for (const counts of all) addCounts(state, counts)
  return exportState(operation, lineage, state)
}
