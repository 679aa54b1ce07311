import type { Where } from '../diff/difference.ts'
import type { KnownLines } from '../mapping/known-lines.ts'
import { exceedsNoise } from './noise.ts'
import type { OperationCounts } from './operation-counts.ts'

/** A class of differences, as it is counted. */
export interface DifferenceClass extends Where {
  requests: number
  count: number
  readonly details: Map<string, number>
  /** The lowest ones, in order. */
  lines: readonly number[]
}

/** Exchanges that show the same classes. */
export interface Pattern {
  readonly classes: readonly DifferenceClass[]
  requests: number
}

/** What is being counted of an operation; see `OperationCounts`. */
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

/** The place whose noise concerns a difference. A status and the root of a body share a path, and nothing else. */
export const placeOf = ({
  part,
  path,
}: Pick<Where, 'part' | 'path'>): { readonly of: 'status' | 'body'; readonly path: string } => ({
  of: part === 'status' ? 'status' : 'body',
  path,
})
export const placeKey = ({ of, path }: ReturnType<typeof placeOf>): string => `${of} ${path}`

/** What of `KnownLines` judging takes. */
export type Excuses = Pick<KnownLines, 'ignored'>

/** Why a class does not count, by all that has been counted so far; null: it counts. */
export function ignoredBecause({ places, totals }: OperationState, known: Excuses, where: Where): string | null {
  const reason = known.ignored(where)
  if (reason !== null) return reason
  const seen = places.get(placeKey(placeOf(where)))
  // Where the control has not been asked twice there is nothing to tell noise by.
  if (seen === undefined) return null
  return exceedsNoise({ raw: seen.raw, noise: seen.noise, total: totals.askedTwice }) ? null : 'noise'
}

/** How exchanges that show these classes are judged, by all that has been counted so far. */
export function outcomeOf(
  state: OperationState,
  known: Excuses,
  classes: readonly Where[],
): 'matched' | 'ignored' | 'mismatched' {
  if (classes.length === 0) return 'matched'
  return classes.some((where) => ignoredBecause(state, known, where) === null) ? 'mismatched' : 'ignored'
}
