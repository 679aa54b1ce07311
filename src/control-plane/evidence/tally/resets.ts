import type { Lineage } from '../lineage.ts'
import type { Verdict } from './verdict.ts'

/** The decision to reset an operation's evidence. Earlier results are history from then on. */
export interface Reset {
  /** Unique, so that a reset that is stored twice is stored once. */
  readonly id: string
  readonly operation: string
  /** ISO 8601; unique for an operation. */
  readonly at: string
  readonly by: string
  readonly why: string
  /** The evidence at the reset. */
  readonly before: { readonly lineage: Lineage; readonly verdict: Verdict; readonly requests: number }
}

/** A reset as reports show it. */
export type ToldReset = Pick<Reset, 'at' | 'by' | 'why'>

/** The most resets remembered per operation: enough to explain the end of every lineage that is kept. */
export const MOST_RESETS = 21

/** The latest resets of each operation, in order. Memory is bounded. */
export class Resets {
  readonly #all = new Map<string, readonly Reset[]>()
  readonly #now: () => number

  /** @param now returns ms since the epoch. */
  constructor(now: () => number) {
    this.#now = now
  }

  /** Adds a reset. A reset that is added again counts only once. */
  add(reset: Reset): void {
    const others = this.of(reset.operation).filter(({ id }) => id !== reset.id)
    const inOrder = [...others, reset].sort((a, b) => (a.at < b.at ? -1 : 1))
    this.#all.set(reset.operation, inOrder.slice(-MOST_RESETS))
  }

  of(operation: string): readonly Reset[] {
    return this.#all.get(operation) ?? []
  }

  latest(operation: string): Reset | undefined {
    return this.of(operation).at(-1)
  }

  all(): readonly Reset[] {
    return [...this.#all.values()].flat()
  }

  /**
   * Returns the last reset before an exchange; undefined: there was none. A call that came before a reset but is compared after it
   * counts as before the reset. If the clock was set back, its times are useless, and the exchange counts as after the last reset.
   * @param at when the call came, in ms since the epoch; undefined: unknown.
   */
  before(operation: string, at: number | undefined): Reset | undefined {
    const resets = this.of(operation)
    const last = resets.at(-1)
    if (last === undefined || at === undefined || this.#now() < Date.parse(last.at)) return last
    return resets.findLast((reset) => Date.parse(reset.at) <= at)
  }
}

export const toldReset = (reset: Reset | undefined): ToldReset | null =>
  reset === undefined ? null : { at: reset.at, by: reset.by, why: reset.why }
