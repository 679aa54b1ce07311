import type { LineCounts } from '../coverage/coverage.ts'
import type { Where } from '../diff/difference.ts'
import type { Expectations } from '../expected/expectations.ts'
import type { Lineage } from '../lineage.ts'
import type { Stratum } from '../strata.ts'
import { Histogram } from './histogram.ts'
import type { OperationCounts } from './operation-counts.ts'
import { Sketch } from './sketch.ts'

/** A class of difference with its counts. */
export interface DifferenceClass extends Where {
  requests: number
  count: number
  /** Of the requests, those that drifted there. */
  drift: number
  readonly details: Map<string, number>
  /** The lowest line numbers, in order. */
  lines: readonly number[]
  /** When it was first and last seen, in ms since the epoch; null: nobody knows. */
  since: number | null
  until: number | null
  /** A sketch of the clients that see it. */
  clients: readonly number[]
}

/** Exchanges that show the same classes. */
export interface Pattern {
  readonly stratum: Stratum
  readonly classes: readonly DifferenceClass[]
  requests: number
}

/** The counts of an operation while counting; see `OperationCounts`. */
export interface OperationState {
  readonly totals: { failed: number; skipped: number; unlisted: number }
  readonly unjudged: Map<string, number>
  readonly judged: Record<Stratum, { matched: number; ignored: number; mismatched: number }>
  readonly classes: Map<string, DifferenceClass>
  readonly patterns: Map<string, Pattern>
  readonly inputs: Set<number>
  readonly units: Sketch
  readonly differingUnits: Sketch
  readonly clients: Map<number, number>
  readonly period: { since: number | null; until: number | null }
  readonly durations: { readonly control: Histogram; readonly candidate: Histogram }
  readonly writes: { roundTrips: number; readonly droppedMembers: Map<string, number> }
  readonly assumptions: Map<string, AssumptionCounts>
  /** By the text of the line. */
  readonly coverage: Map<string, LineCounts>
}

type Mutable<Data> = { -readonly [Name in keyof Data]: Data[Name] }
export type AssumptionCounts = Mutable<OperationCounts['assumptions'][number]>

const noneJudged = () => ({ matched: 0, ignored: 0, mismatched: 0 })

export const newState = (): OperationState => ({
  totals: { failed: 0, skipped: 0, unlisted: 0 },
  unjudged: new Map(),
  judged: { content: noneJudged(), empty: noneJudged(), error: noneJudged() },
  classes: new Map(),
  patterns: new Map(),
  inputs: new Set(),
  units: new Sketch(),
  differingUnits: new Sketch(),
  clients: new Map(),
  period: { since: null, until: null },
  durations: { control: new Histogram(), candidate: new Histogram() },
  writes: { roundTrips: 0, droppedMembers: new Map() },
  assumptions: new Map(),
  coverage: new Map(),
})

/** A tab is in no path: there it is written with an escape. */
export const classKey = ({ part, kind, path, from, detail, excusedBy }: Where): string =>
  [`${part} ${kind} ${path}`, from ?? '', detail ?? '', excusedBy ?? ''].join('\t')
export const assumptionKey = (line: {
  readonly part: string
  readonly change: string
  readonly legacy: string | null
}) => `${line.part} ${line.change} ${line.legacy}`

/** The part of `Expectations` that judging needs. */
export type IgnoreCheck = Pick<Expectations, 'ignored'>

/** Returns why a class does not count; null: it counts. */
export function ignoredBecause(expectations: IgnoreCheck, found: DifferenceClass): string | null {
  return expectations.ignored(found) ?? (found.drift === found.requests ? 'drift' : null)
}

/** Judges exchanges that show these classes, none of which has drifted there. */
export const outcomeOf = (expectations: IgnoreCheck, classes: readonly Where[]): 'ignored' | 'mismatched' =>
  classes.some((where) => expectations.ignored(where) === null) ? 'mismatched' : 'ignored'

/** Returns the counts as plain data. */
export function exportState(operation: string, lineage: Lineage, state: OperationState): OperationCounts {
  const classes = [...state.classes.values()]
  const indices = new Map([...state.classes.keys()].map((key, at) => [key, at]))
  const { content, empty, error } = state.judged
  return {
    operation,
    lineage,
    ...state.totals,
    unjudged: Object.fromEntries(state.unjudged),
    judged: { content: { ...content }, empty: { ...empty }, error: { ...error } },
    classes: classes.map((one) => ({ ...one, details: Object.fromEntries(one.details) })),
    patterns: [...state.patterns.values()].map(({ stratum, classes, requests }) => ({
      stratum,
      classes: classes.flatMap((one) => indices.get(classKey(one)) ?? []),
      requests,
    })),
    inputs: [...state.inputs],
    units: state.units.hashes(),
    differingUnits: state.differingUnits.hashes(),
    clients: [...state.clients],
    ...state.period,
    durations: { control: state.durations.control.counts(), candidate: state.durations.candidate.counts() },
    roundTrips: state.writes.roundTrips,
    droppedMembers: Object.fromEntries(state.writes.droppedMembers),
    assumptions: [...state.assumptions.values()].map((assumption) => ({ ...assumption })),
    coverage: [...state.coverage.values()],
  }
}
