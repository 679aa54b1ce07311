import { Histogram } from '../../common/histogram.ts'
import type { LineCounts } from '../coverage/coverage.ts'
import { lineText } from '../coverage/lines-to-see.ts'
import { NotSentSums } from '../coverage/not-sent.ts'
import type { Expectations } from '../expected/expectations.ts'
import type { Lineage } from '../lineage.ts'
import { STRATA, type Stratum } from '../observation.ts'
import { BOUNDS, type Bounds, NamedSums, Smallest } from './bounds.ts'
import { Circumstances } from './circumstances.ts'
import { changeKey, type DifferenceClass, DifferenceClasses, placeOf } from './difference-classes.ts'
import { DifferingUnits } from './differing-units.ts'

import type { OperationCounts } from './operation-counts.ts'
import { Patterns, patternId } from './patterns.ts'
import { outermost } from './period.ts'
import { Sketch } from './sketch.ts'

/** The counts of an operation while counting; see `OperationCounts`. */
export interface OperationState {
  readonly totals: { failed: number; skipped: number; notDrawn: number; refusals: number; unitCalls: number }
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
  readonly writes: { roundTrips: number; readonly droppedMembers: NamedSums }
  readonly assumptions: Map<string, AssumptionCounts>
  /** By the text of the line. */
  readonly coverage: Map<string, LineCounts>
  readonly notSent: NotSentSums
  readonly circumstances: Circumstances
}

/** A list that was called. */
export interface ListCounts {
  readonly says: string
  /** When it was last called, in ms since the epoch; null: unknown. */
  lastAt: number | null
  /** How often it was compared. */
  compared: number
}

type Mutable<Data> = { -readonly [Name in keyof Data]: Data[Name] }
export type AssumptionCounts = Mutable<OperationCounts['assumptions'][number]>

const noneJudged = () => ({ matched: 0, ignored: 0, mismatched: 0 })

export function newState(bounds: Bounds = BOUNDS): OperationState {
  const judged = { content: noneJudged(), empty: noneJudged(), error: noneJudged() }
  const patterns = new Patterns(bounds, judged)
  return {
    totals: { failed: 0, skipped: 0, notDrawn: 0, refusals: 0, unitCalls: 0 },
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
    writes: { roundTrips: 0, droppedMembers: new NamedSums(bounds.droppedMembers) },
    assumptions: new Map(),
    coverage: new Map(),
    notSent: new NotSentSums(bounds.notSent),
    circumstances: new Circumstances(bounds),
  }
}

export const assumptionKey = (line: {
  readonly part: string
  readonly change: string
  readonly legacy: string | null
}) => `${line.part} ${line.change} ${line.legacy}`

/** Returns why a class does not count; null: it counts. */
export function ignoredBecause(expectations: Pick<Expectations, 'ignored'>, found: DifferenceClass): string | null {
  return expectations.ignored(found) ?? (found.drift === found.requests ? 'drift' : null)
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
    unjudged: Object.fromEntries(state.unjudged.entries()),
    skips: Object.fromEntries(state.skips.entries()),
    judged: { content: { ...content }, empty: { ...empty }, error: { ...error } },
    classes: classes.map((one) => ({ ...one, details: Object.fromEntries(one.details.entries()) })),
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
    roundTrips: state.writes.roundTrips,
    droppedMembers: Object.fromEntries(state.writes.droppedMembers.entries()),
    assumptions: inOrder(state.assumptions).map((assumption) => ({ ...assumption })),
    coverage: inOrder(state.coverage),
    notSent: state.notSent.counts(),
    circumstances: state.circumstances.counts(),
  }
}

const inOrder = <Value>(all: ReadonlyMap<string, Value>): readonly Value[] =>
  [...all].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value)

/** Adds the counts of one or more exchanges. The sum does not depend on the order or the portions in which counts are added. */
export function addCounts(state: OperationState, counts: OperationCounts): void {
  const { totals, judged, clients, period } = state
  for (const name of ['failed', 'skipped', 'notDrawn', 'refusals', 'unitCalls'] as const) totals[name] += counts[name]
  for (const stratum of STRATA) {
    for (const outcome of ['matched', 'ignored', 'mismatched'] as const) {
      judged[stratum][outcome] += counts.judged[stratum][outcome]
    }
  }
  state.unjudged.addAll(Object.entries(counts.unjudged))
  state.skips.addAll(Object.entries(counts.skips))
  for (const input of counts.inputs) if (state.inputs.admits(input)) state.inputs.set(input, true)
  for (const unit of counts.units) state.units.add(unit)
  state.differingUnits.add(counts)
  for (const [client, requests] of counts.clients) {
    if (clients.admits(client)) clients.set(client, (clients.get(client) ?? 0) + requests)
  }
  for (const called of counts.lists) addList(state, called)
  period.since = outermost(Math.min, period.since, counts.since)
  period.until = outermost(Math.max, period.until, counts.until)
  for (const side of ['control', 'candidate'] as const) state.durations[side].addAll(counts.durations[side])
  state.writes.roundTrips += counts.roundTrips
  state.writes.droppedMembers.addAll(Object.entries(counts.droppedMembers))
  for (const added of counts.assumptions) addAssumption(state, added)
  for (const added of counts.coverage) addLine(state, added)
  state.notSent.addAll(counts.notSent)
  state.circumstances.add(counts.circumstances)
  addDifferences(state, counts)
}

function addList({ lists }: OperationState, [id, says, lastAt, compared]: OperationCounts['lists'][number]): void {
  if (!lists.admits(id)) return
  const before = lists.get(id)
  // Of different words for one list, such as those of two versions, the smallest are kept.
  lists.set(id, {
    says: before === undefined || says < before.says ? says : before.says,
    lastAt: outermost(Math.max, before?.lastAt ?? null, lastAt),
    compared: (before?.compared ?? 0) + compared,
  })
}

/** Needs no bound: there are no more assumptions than the mapping has lines. */
function addAssumption({ assumptions }: OperationState, added: OperationCounts['assumptions'][number]): void {
  const existing = assumptions.get(assumptionKey(added))
  if (existing === undefined) assumptions.set(assumptionKey(added), { ...added })
  else {
    existing.matched += added.matched
    existing.differed += added.differed
  }
}

/** Needs no bound: only lines of the mapping are counted. */
function addLine({ coverage }: OperationState, { part, legacy, requests, differed }: LineCounts): void {
  const before = coverage.get(lineText({ part, legacy }))
  coverage.set(lineText({ part, legacy }), {
    ...{ part, legacy },
    requests: requests + (before?.requests ?? 0),
    differed: differed + (before?.differed ?? 0),
  })
}

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

/**
 * Adds counts of one lineage of an operation to those kept so far; undefined: none are kept. Takes and returns plain data, so that
 * any thread can call it. The result does not depend on the order in which counts are added.
 */
export function addPortion(
  kept: OperationCounts | undefined,
  counts: OperationCounts,
  bounds: Parameters<typeof newState>[0] = BOUNDS,
): OperationCounts {
  const state = newState(bounds)
  if (kept !== undefined) addCounts(state, kept)
  addCounts(state, counts)
  return exportState(counts.operation, counts.lineage, state)
}
