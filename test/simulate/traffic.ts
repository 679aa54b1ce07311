import type { Difference } from '../../src/control-plane/evidence/diff/difference.ts'
import type { Observation } from '../../src/control-plane/evidence/observation.ts'
import type { BrownoutMark } from '../../src/control-plane/usage/brownouts/brownout-calls.ts'
import type { UsedCall } from '../../src/control-plane/usage/count-usage.ts'
import type { TokenOwner } from '../../src/data-plane/gateway/login/known-tokens.ts'
import type { Random } from './virtual-time.ts'

/** The operations of a history. */
export const OPERATIONS: readonly string[] = ['one', 'two', 'three']
/** The client of every second call of each operation: many portions add to its rows. */
export const BUSY_CLIENT = 'busy'
/** The brownout whose calls are marked. */
export const BROWNOUT = 'b'
/** The real time at the beginning of each history; ms since the epoch. */
export const BEGINNING = Date.UTC(2027, 2, 4, 9)

/** A result of a comparison that no other has: its number is its client's hash, and its input's. */
export function observationOf(number: number, at: number, random: Random): Observation {
  const differs = random.chance(0.3)
  const difference = {
    ...{ part: 'answer', kind: 'changed', path: `data.m${random.below(12)}`, count: 1, details: null },
    standing: 'counts',
  } as const satisfies Difference
  return {
    ...{ operation: random.pick(OPERATIONS), outcome: differs ? 'mismatched' : 'matched', reason: null },
    ...{ isUnjudged: false, stratum: 'content', assumptions: [], coverage: [], notSent: [], line: undefined },
    ...{ differences: differs ? [difference] : [], examples: [], counts: differs ? [true] : [] },
    ...{ input: number, client: number, unit: number, at },
    releases: { v1: `${random.below(2)}`, legacy: undefined },
    durations: { control: 1 + random.below(300), candidate: 1 + random.below(300) },
  }
}

/** A call that a client of its own made. */
export interface MarkedCall extends UsedCall {
  readonly operation: string
  readonly mark: BrownoutMark
}

export function usedCall(number: number, at: number, random: Random): MarkedCall {
  return {
    ...{ at, operation: random.pick(OPERATIONS), client: `c${number}`, status: random.pick([200, 200, 404, 500]) },
    ...{ code: undefined, answeredBy: random.pick(['v1', 'legacy'] as const), agent: `agent ${random.below(3)}` },
    mark: random.pick(['refused', 'passed', 'since']),
  }
}

export const loginOf = (number: number, random: Random): TokenOwner => ({
  hash: `h${number}`,
  client: `c${random.below(4)}`,
})

/**
 * Things that a process has counted. When a crash takes its memory, what was confirmed must be stored, and of the rest each may be or not.
 */
export class Counted<Item> {
  readonly #items: Item[] = []
  #confirmed = 0

  add(item: Item): void {
    this.#items.push(item)
  }

  get size(): number {
    return this.#items.length
  }

  /** The first so many are stored. */
  confirm(many: number): void {
    this.#confirmed = Math.max(this.#confirmed, many)
  }

  all(): readonly Item[] {
    return this.#items
  }

  /** Whether an item must be stored. @param isAlive whether the process has stored everything. */
  isCertain(index: number, isAlive: boolean): boolean {
    return isAlive || index < this.#confirmed
  }
}
