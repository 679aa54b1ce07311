import type { Lineage } from '../lineage.ts'
import type { Verdict } from './verdict.ts'

/** The decision that an operation's evidence begins anew. What was found before is history from then on. */
export interface Reset {
  /** Unique, so that a reset that is stored twice is stored once. */
  readonly id: string
  readonly operation: string
  /** ISO 8601; unique for an operation. */
  readonly at: string
  readonly by: string
  readonly why: string
  /** What was known until then. */
  readonly before: { readonly lineage: Lineage; readonly verdict: Verdict; readonly requests: number }
}

/** A reset as reports tell it. */
export type ToldReset = Pick<Reset, 'at' | 'by' | 'why'>

/** So many resets of an operation are known: more than there are lineages whose end they could explain. */
export const MOST_RESETS = 21

/** The latest resets of each operation, in order. Memory is bounded. */
export class Resets {
  readonly #all = new Map<string, readonly Reset[]>()
  readonly #now: () => number

  /** @param now in ms since the epoch. */
  constructor(now: () => number) {
    this.#now = now
  }

  /** Adds a reset, once however often it is added. */
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
   * Returns after which reset an exchange counts; undefined: after none. A call that came before a reset and is compared after it
   * counts for what was before. If the clock was set back, its times say nothing, and the exchange counts now.
   * @param at when the call came, in ms since the epoch; undefined: nobody knows.
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
