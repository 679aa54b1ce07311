import { Histogram } from '../../../common/histogram.ts'
import type { Pairs, SideAnswers } from '../position.ts'

/** Both durations of a call that v1 answered and that was compared; ms. */
export interface Pair {
  readonly v1: number
  readonly legacy: number
  /** Whether v1 took longer than the plan allows for what legacy took. */
  readonly isSlower: boolean
}

/** The fewest pairs that count. Where a quarter of v1's calls is compared, 400 of them have about twice as many. */
export const LEAST_PAIRS = 50
/** Of so many calls of v1, fewer pairs than `LEAST_PAIRS` are too few to wait for. */
export const CALLS_TO_WAIT_FOR_PAIRS = 400

/**
 * What pairs have to say when v1 seems to be slow. `asked`: it is slow only if the pairs show it too. `awaited`: some are there, and soon
 * there will be enough. `none`: calls are not compared, or too few of them.
 */
export function standingOf(pairs: number, callsOfV1: number): 'asked' | 'awaited' | 'none' {
  if (pairs >= LEAST_PAIRS) return 'asked'
  return pairs > 0 && callsOfV1 < CALLS_TO_WAIT_FOR_PAIRS ? 'awaited' : 'none'
}

/** Counts pairs. */
export class PairCounter {
  readonly #v1 = new Histogram()
  readonly #legacy = new Histogram()
  #slower = 0

  add({ v1, legacy, isSlower }: Pair): void {
    this.#v1.add(v1)
    this.#legacy.add(legacy)
    if (isSlower) this.#slower++
  }

  /** Returns undefined if there is none. */
  now(): Pairs | undefined {
    const v1 = this.#v1.counts()
    return v1.length === 0 ? undefined : { v1, legacy: this.#legacy.counts(), slower: this.#slower }
  }
}

/** Adds up what several processes counted; undefined: none counted any. */
export function addPairs(all: readonly (Pairs | undefined)[]): Pairs | undefined {
  const some = all.filter((pairs) => pairs !== undefined)
  if (some.length === 0) return undefined
  const sum = (of: (pairs: Pairs) => SideAnswers['times']): SideAnswers['times'] => {
    const histogram = new Histogram()
    for (const pairs of some) histogram.addAll(of(pairs))
    return histogram.counts()
  }
  return {
    ...{ v1: sum(({ v1 }) => v1), legacy: sum(({ legacy }) => legacy) },
    slower: some.reduce((slower, pairs) => slower + pairs.slower, 0),
  }
}

/** How many calls a histogram has counted. */
export const callsIn = (times: SideAnswers['times']): number => times.reduce((sum, [, calls]) => sum + calls, 0)
