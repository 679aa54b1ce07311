import type { Observation } from '../observe-exchange.ts'
import type { OperationCounts } from './operation-counts.ts'
import type { CountedOperation, Portion } from './state-store.ts'
import { type Criteria, createTally } from './tally.ts'

/**
 * What is not stored yet. A portion that is being stored stays as it is until that is known to have worked, and what is
 * recorded meanwhile adds up for the next one: memory holds two tallies at most, however long the store is away.
 */
export interface Portions {
  record(observation: Observation): void
  /** What is to be stored now: the same until it is `stored`; undefined: nothing is. */
  next(day: string): Portion | undefined
  stored(): void
  /** Has the next portion stored whatever was stored before. */
  insist(since: string): void
  /** Makes one portion of everything, in place of what was unstored. */
  beginAnew(since: string, day: string, everything: readonly OperationCounts[]): void
  /** What is not stored yet, `next` included. */
  unstored(): readonly OperationCounts[]
  /** How many exchanges that is. */
  exchanges(): number
}

export function countPortions(criteria: () => Criteria): Portions {
  let number = 0
  let pending: { readonly portion: Portion; readonly exchanges: number } | undefined
  let coming = createTally(criteria)
  let exchanges = 0

  const counted = (counts: OperationCounts): CountedOperation => {
    const known = criteria().known.get(counts.operation)
    return {
      counts,
      excused: counts.classes.flatMap((where, at) => ((known?.ignored(where) ?? null) === null ? [] : [at])),
    }
  }
  const takeComing = (): void => {
    coming = createTally(criteria)
    exchanges = 0
  }
  const countsOf = (portion: Portion | undefined): readonly OperationCounts[] =>
    portion?.operations.map(({ counts }) => counts) ?? []

  return {
    record(observation) {
      coming.record(observation)
      exchanges++
    },
    next(day) {
      if (pending === undefined && exchanges > 0) {
        const portion = { number: ++number, day, operations: coming.exportCounts().map(counted) }
        pending = { portion, exchanges }
        takeComing()
      }
      return pending?.portion
    },
    stored() {
      pending = undefined
    },
    insist(since) {
      if (pending !== undefined) pending = { ...pending, portion: { ...pending.portion, anew: { since } } }
    },
    beginAnew(since, day, everything) {
      if (pending === undefined) number++
      pending = {
        portion: { number, day, operations: everything.map(counted), anew: { since } },
        exchanges: everything.reduce((sum, counts) => sum + exchangesIn(counts), 0),
      }
      takeComing()
    },
    unstored: () => [...countsOf(pending?.portion), ...coming.exportCounts()],
    exchanges: () => (pending?.exchanges ?? 0) + exchanges,
  }
}

const exchangesIn = ({ matched, failed, skipped, settled, patterns }: OperationCounts): number =>
  patterns.reduce(
    (sum, { requests }) => sum + requests,
    matched + failed + skipped + settled.ignored + settled.mismatched,
  )
