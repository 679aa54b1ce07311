import { type Lineage, lineageKey } from '../lineage.ts'
import type { Bounds } from './bounds.ts'
import { newState, type OperationState } from './operation-state.ts'
import { Smallest } from './smallest.ts'

/** The results of one lineage. */
export interface LineageState {
  readonly lineage: Lineage
  readonly state: OperationState
}

/** Older lineages are shown as history: so many of them. */
export const HISTORY = 20
/** So many are kept: a service that says another release with each answer must not fill the memory, nor the store. */
export const MOST_LINEAGES = HISTORY + 1
/** During a rolling update two releases answer in turn: both run that were seen within this time; ms. */
const ROLLING_MS = 600_000

/** The results of one operation, by lineage. */
export class Lineages {
  readonly #all = new Smallest<string, LineageState>(Number.POSITIVE_INFINITY)
  readonly #bounds: Bounds | undefined

  constructor(bounds?: Bounds) {
    this.#bounds = bounds
  }

  /** Returns the results of a lineage, which begin now if there are none. */
  stateOf(lineage: Lineage): OperationState {
    const key = lineageKey(lineage)
    const known = this.#all.get(key)
    if (known !== undefined) return known.state
    const begun = { lineage, state: newState(this.#bounds) }
    this.#all.set(key, begun)
    if (this.#all.size > MOST_LINEAGES) this.#dropOldest(begun)
    return begun.state
  }

  /** In the order of their keys, so that it makes no difference in which one they came. */
  all(): readonly LineageState[] {
    return this.#all.values()
  }

  /**
   * Returns the newest lineage of a mapping: of those that were seen lately, the one that was first seen last; undefined: there
   * is none. Of several that were first seen at once, or where nobody knows when calls came, it is the one with the largest key.
   * @param reset after which it counts; undefined: those that no reset came before.
   */
  newest(mapping: string, reset?: string): LineageState | undefined {
    const all = this.all().filter(({ lineage }) => lineage.mapping === mapping && lineage.reset === reset)
    const last = Math.max(...all.map(({ state }) => state.period.until ?? 0))
    const running = all.filter(({ state }) => (state.period.until ?? 0) >= last - ROLLING_MS)
    return running.reduce<LineageState | undefined>(
      (newest, one) => ((one.state.period.since ?? 0) >= (newest?.state.period.since ?? 0) ? one : newest),
      undefined,
    )
  }

  /** Returns the others, the last ones first. */
  before(newest: LineageState | undefined): readonly LineageState[] {
    return this.all()
      .filter((one) => one !== newest)
      .sort((a, b) => untilOf(b) - untilOf(a))
      .slice(0, HISTORY)
  }

  #dropOldest(begun: LineageState): void {
    const oldest = this.all()
      .filter((one) => one !== begun)
      .reduce((oldest, one) => (untilOf(one) < untilOf(oldest) ? one : oldest))
    this.#all.delete(lineageKey(oldest.lineage))
  }
}

const untilOf = ({ state }: LineageState): number => state.period.until ?? 0
