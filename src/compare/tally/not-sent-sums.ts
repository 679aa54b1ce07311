import { lineText } from '../coverage/line-to-see.ts'
import { type NotSentName, OTHER_NAMES } from '../coverage/not-sent.ts'
import { addClients } from './client-sketch.ts'
import { Smallest } from './smallest.ts'

/** How many exchanges had something that v1 does not get. `clients` is a sketch of who made them. */
export interface NotSentCounts extends NotSentName {
  readonly requests: number
  readonly clients: readonly number[]
}

/** Counts by name what v1 does not get. Beyond the bound, the smallest names are kept and all others are counted together. */
export class NotSentSums {
  readonly #named: Smallest<string, NotSentCounts>
  #others: NotSentCounts | undefined

  constructor(most: number) {
    this.#named = new Smallest(most)
  }

  addAll(all: Iterable<NotSentCounts>): void {
    for (const added of all) {
      const key = lineText(added)
      if (added.part === 'other' || !this.#named.admits(key)) this.#addOther(added)
      else {
        const dropped = this.#named.set(key, sumOf(this.#named.get(key), added))
        if (dropped !== undefined) this.#addOther(dropped)
      }
    }
  }

  /** Returns the counts in the order of their names; those of all others are last. */
  counts(): readonly NotSentCounts[] {
    return this.#others === undefined ? this.#named.values() : [...this.#named.values(), this.#others]
  }

  #addOther(added: NotSentCounts): void {
    this.#others = sumOf(this.#others, { ...added, ...OTHER_NAMES })
  }
}

const sumOf = (kept: NotSentCounts | undefined, { part, legacy, requests, clients }: NotSentCounts): NotSentCounts => ({
  ...{ part, legacy },
  requests: requests + (kept?.requests ?? 0),
  clients: addClients(kept?.clients ?? [], clients),
})
