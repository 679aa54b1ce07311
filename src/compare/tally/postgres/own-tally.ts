import { lineageKey } from '../../lineage.ts'
import { addPortion } from '../add-portion.ts'
import { MOST_LINEAGES } from '../lineages.ts'
import type { OperationCounts } from '../operation-counts.ts'
import type { Portion } from '../state-store.ts'

/** What a process found of a lineage of an operation since it started: cumulative, so that it can be stored again and again. */
interface Document {
  counts: OperationCounts
  /** Whether it differs from what is stored. */
  isChanged: boolean
  /** What is stored of it; undefined: nothing is, or nobody knows. */
  stored: OperationCounts | undefined
}

/** What has to be written. */
export interface Changes {
  /** With what is stored of each, so that sketches that are the same need not be sent. */
  readonly changed: readonly { readonly counts: OperationCounts; readonly stored: OperationCounts | undefined }[]
  /** The lineages that were dropped for want of room. */
  readonly dropped: readonly Pick<OperationCounts, 'operation' | 'lineage'>[]
}

/** The documents of this process, and how far they are stored. */
export class OwnTally {
  readonly #documents = new Map<string, Document>()
  #dropped: OperationCounts[] = []
  #last: Portion | undefined
  #number = 0
  #acknowledged = 0

  /** The last portion that is in the documents. */
  get number(): number {
    return this.#number
  }

  /** The last portion that is certainly stored. */
  get acknowledged(): number {
    return this.#acknowledged
  }

  /** Adds a portion, once however often it is sent. */
  add(portion: Portion | undefined): void {
    if (portion === undefined || portion.number <= this.#number) return
    this.#number = portion.number
    this.#last = portion
    this.#addAll(portion)
  }

  /** Counts a portion as stored elsewhere. */
  skip(number: number): void {
    this.#number = Math.max(this.#number, number)
    this.#acknowledged = Math.max(this.#acknowledged, number)
  }

  changes(): Changes {
    return {
      changed: [...this.#documents.values()].filter(({ isChanged }) => isChanged),
      dropped: this.#dropped,
    }
  }

  /** All that was to be written is stored. */
  acknowledge(): void {
    this.#acknowledged = this.#number
    this.#last = undefined
    this.#dropped = []
    for (const document of this.#documents.values()) {
      document.isChanged = false
      document.stored = document.counts
    }
  }

  /** Nothing is known of what is stored: everything has to be written again. */
  distrust(): void {
    for (const document of this.#documents.values()) {
      document.isChanged = true
      document.stored = undefined
    }
  }

  /** Begins anew. Portions up to `stored` count elsewhere from now on. */
  startOver(stored: number): void {
    this.#documents.clear()
    this.#dropped = []
    if (this.#last !== undefined && stored < this.#number) this.#addAll(this.#last)
  }

  #addAll({ operations }: Portion): void {
    for (const counted of operations) {
      const { operation, lineage } = counted.counts
      const key = `${operation}\n${lineageKey(lineage)}`
      const known = this.#documents.get(key)
      const counts = addPortion(known?.counts, counted)
      if (known === undefined) this.#documents.set(key, { counts, isChanged: true, stored: undefined })
      else Object.assign(known, { counts, isChanged: true })
      this.#dropOldest(operation)
    }
  }

  /** A service that says another release with each answer must not fill the table. */
  #dropOldest(operation: string): void {
    const all = [...this.#documents].filter(([, { counts }]) => counts.operation === operation)
    if (all.length <= MOST_LINEAGES) return
    const [key, { counts }] = all.reduce((oldest, one) => (until(one) < until(oldest) ? one : oldest))
    this.#documents.delete(key)
    this.#dropped.push(counts)
  }
}

const until = ([, { counts }]: readonly [string, Document]): number => counts.until ?? 0
