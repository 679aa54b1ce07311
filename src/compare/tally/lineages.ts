import { type Lineage, lineageKey } from '../lineage.ts'
import type { Bounds } from './bounds.ts'
import { newState, type OperationState } from './operation-state.ts'
import { believed, lastOf } from './period.ts'
import { Smallest } from './smallest.ts'

/** The results of one lineage. */
export interface LineageState {
  readonly lineage: Lineage
  readonly state: OperationState
}

/** The most older lineages that are shown as history. */
export const HISTORY = 20
/** The most lineages kept: a service that reports another release with each answer must not fill memory or the store. */
export const MOST_LINEAGES = HISTORY + 1
/** During a rolling update two releases answer in turn. Lineages last seen within this time of each other count as running; ms. */
const ROLLING_MS = 600_000

/** The results of one operation, by lineage. */
export class Lineages {
  readonly #all = new Smallest<string, LineageState>(Number.POSITIVE_INFINITY)
  readonly #bounds: Bounds | undefined

  constructor(bounds?: Bounds) {
    this.#bounds = bounds
  }

  /**
   * Returns the results of a lineage, which begin now if there are none. Another one may have to give way to them: the one whose last
   * call was the earliest.
   * @param now the reader's time, in ms since the epoch. Later times are not believed.
   */
  stateOf(lineage: Lineage, now: number): OperationState {
    const key = lineageKey(lineage)
    const known = this.#all.get(key)
    if (known !== undefined) return known.state
    const begun = { lineage, state: newState(this.#bounds) }
    this.#all.set(key, begun)
    if (this.#all.size > MOST_LINEAGES) this.#dropOldest(begun, now)
    return begun.state
  }

  /** Returns all lineages in the order of their keys, regardless of the order in which they were added. */
  all(): readonly LineageState[] {
    return this.#all.values()
  }

  /**
   * Returns the newest lineage of a mapping: among those seen recently, the one whose first exchange came last. If several began at
   * the same time, or the times of calls are unknown, it is the one with the largest key. Undefined: the mapping has no lineage.
   * @param now the reader's time, in ms since the epoch. Later times are not believed.
   * @param reset the reset that the lineage follows; undefined: lineages before any reset.
   */
  newest(mapping: string, now: number, reset?: string): LineageState | undefined {
    const all = this.all().filter(({ lineage }) => lineage.mapping === mapping && lineage.reset === reset)
    const last = Math.max(...all.map((one) => untilOf(one, now)))
    const running = all.filter((one) => untilOf(one, now) >= last - ROLLING_MS)
    return running.reduce<LineageState | undefined>(
      (newest, one) => (newest === undefined || sinceOf(one, now) >= sinceOf(newest, now) ? one : newest),
      undefined,
    )
  }

  /** Returns the other lineages, the most recent first. */
  before(newest: LineageState | undefined, now: number): readonly LineageState[] {
    return this.all()
      .filter((one) => one !== newest)
      .sort((a, b) => untilOf(b, now) - untilOf(a, now))
      .slice(0, HISTORY)
  }

  #dropOldest(begun: LineageState, now: number): void {
    const oldest = this.all()
      .filter((one) => one !== begun)
      .reduce((oldest, one) => (untilOf(one, now) < untilOf(oldest, now) ? one : oldest))
    this.#all.delete(lineageKey(oldest.lineage))
  }
}

const sinceOf = ({ state }: LineageState, now: number): number => believed(state.period, now).since ?? 0
const untilOf = ({ state }: LineageState, now: number): number => lastOf(state.period, now)
