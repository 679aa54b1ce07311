import type { Where } from '../diff/difference.ts'
import type { Expectations } from '../expected/expectations.ts'
import { exceedsNoise } from './noise.ts'
import type { OperationCounts } from './operation-counts.ts'

/** A class of difference with its counts. */
export interface DifferenceClass extends Where {
  requests: number
  count: number
  readonly details: Map<string, number>
  /** The lowest line numbers, in order. */
  lines: readonly number[]
}

/** Exchanges that show the same classes. */
export interface Pattern {
  readonly classes: readonly DifferenceClass[]
  requests: number
}

/** The counts of an operation while counting; see `OperationCounts`. */
export interface OperationState {
  readonly totals: { matched: number; failed: number; skipped: number; askedTwice: number; unlisted: number }
  readonly settled: { ignored: number; mismatched: number }
  readonly classes: Map<string, DifferenceClass>
  readonly patterns: Map<string, Pattern>
  readonly places: Map<string, { readonly of: 'status' | 'body'; readonly path: string; raw: number; noise: number }>
  readonly inputs: Set<number>
  readonly assumptions: Map<string, AssumptionCounts>
}

type Mutable<Data> = { -readonly [Name in keyof Data]: Data[Name] }
export type AssumptionCounts = Mutable<OperationCounts['assumptions'][number]>

export const newState = (): OperationState => ({
  totals: { matched: 0, failed: 0, skipped: 0, askedTwice: 0, unlisted: 0 },
  settled: { ignored: 0, mismatched: 0 },
  classes: new Map(),
  patterns: new Map(),
  places: new Map(),
  inputs: new Set(),
  assumptions: new Map(),
})

export const classKey = ({ part, kind, path }: Where): string => `${part} ${kind} ${path}`
export const assumptionKey = (line: {
  readonly part: string
  readonly change: string
  readonly legacy: string | null
}) => `${line.part} ${line.change} ${line.legacy}`

/** Returns the place whose noise concerns a difference. A status and the root of a body are different places. */
export const placeOf = ({
  part,
  path,
}: Pick<Where, 'part' | 'path'>): { readonly of: 'status' | 'body'; readonly path: string } => ({
  of: part === 'status' ? 'status' : 'body',
  path,
})
export const placeKey = ({ of, path }: ReturnType<typeof placeOf>): string => `${of} ${path}`

/** The part of `Expectations` that judging needs. */
export type IgnoreCheck = Pick<Expectations, 'ignored'>

/** Returns why a class does not count, by everything counted so far; null: it counts. */
export function ignoredBecause(
  { places, totals }: OperationState,
  expectations: IgnoreCheck,
  where: Where,
): string | null {
  const reason = expectations.ignored(where)
  if (reason !== null) return reason
  const place = places.get(placeKey(placeOf(where)))
  // Without a second answer of the control, noise is unknown.
  if (place === undefined) return null
  return exceedsNoise({ raw: place.raw, noise: place.noise, total: totals.askedTwice }) ? null : 'noise'
}

/** Judges exchanges that show these classes, by everything counted so far. */
export function outcomeOf(
  state: OperationState,
  expectations: IgnoreCheck,
  classes: readonly Where[],
): 'matched' | 'ignored' | 'mismatched' {
  if (classes.length === 0) return 'matched'
  return classes.some((where) => ignoredBecause(state, expectations, where) === null) ? 'mismatched' : 'ignored'
}

/** Returns the counts as plain data. */
export function exportState(operation: string, state: OperationState): OperationCounts {
  const classes = [...state.classes.values()]
  const indices = new Map([...state.classes.keys()].map((key, at) => [key, at]))
  return {
    operation,
    ...state.totals,
    settled: { ...state.settled },
    classes: classes.map((one) => ({ ...one, details: Object.fromEntries(one.details) })),
    patterns: [...state.patterns.values()].map(({ classes, requests }) => ({
      classes: classes.flatMap((one) => indices.get(classKey(one)) ?? []),
      requests,
    })),
    places: [...state.places.values()].map((place) => ({ ...place })),
    inputs: [...state.inputs],
    assumptions: [...state.assumptions.values()].map((assumption) => ({ ...assumption })),
  }
}
