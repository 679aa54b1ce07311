import { Histogram } from '../../common/histogram.ts'
import type { LineCounts } from '../coverage/coverage.ts'
import type { Expectations } from '../expected/expectations.ts'
import type { Lineage } from '../lineage.ts'
import type { Stratum } from '../strata.ts'
import { BOUNDS, type Bounds } from './bounds.ts'
import { Circumstances } from './circumstances.ts'
import { type DifferenceClass, DifferenceClasses } from './difference-classes.ts'
import { DifferingUnits } from './differing-units.ts'
import { NamedSums } from './named-sums.ts'
import { NotSentSums } from './not-sent-sums.ts'
import type { OperationCounts } from './operation-counts.ts'
import { Patterns } from './patterns.ts'
import { Sketch } from './sketch.ts'
import { Smallest } from './smallest.ts'

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
