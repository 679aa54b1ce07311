import { type Lineage, lineageKey } from '../../lineage.ts'
import type { OperationCounts } from '../operation-counts.ts'
import { addCounts, exportState, newState, type OperationState } from '../operation-state.ts'
import { lastOf } from '../period.ts'
import type { Portion } from '../state-store.ts'
import { MOST_LINEAGES } from '../tally.ts'

/** A process's results for one lineage of an operation since it started. */
interface Document {
  readonly operation: string
  readonly lineage: Lineage
  readonly state: OperationState
  /** Whether it differs from its row. */
  isChanged: boolean
  /** The counts in its row; undefined: it has no row, or its content is unknown. */
  written: OperationCounts | undefined
}

/** The changes to write to the rows. */
export interface Changes {
  /** New counts, with those in the row, so that unchanged sketches need not be sent. */
  readonly changed: readonly { readonly counts: OperationCounts; readonly written: OperationCounts | undefined }[]
  /** The lineages that were dropped because there was no room. */
  readonly dropped: readonly Pick<OperationCounts, 'operation' | 'lineage'>[]
}

/** How many portions are stored one by one before the rows are written: a portion is small, but a row may have 150 KB. */
const PORTIONS = 30

/**
 * The results of this process, and how far they are stored. The rows hold everything and are written now and then; in between, each
 * portion is stored by itself.
 */
export class OwnTally {
  readonly #documents = new Map<string, Document>()
  #dropped: Document[] = []
  #last: Portion | undefined
  #number = 0
  #acknowledged = 0
  #acknowledgedAt = Number.POSITIVE_INFINITY
  /** Portions since the rows were written; undefined: it is unknown what the rows hold. */
  #portions: number | undefined

  /** The last portion that is in the documents. */
  get number(): number {
    return this.#number
  }

  /** The last portion that is certainly stored. */
  get acknowledged(): number {
    return this.#acknowledged
  }

  /** Adds a portion. A portion that is sent again is added only once. */
  add(portion: Portion | undefined): void {
    if (portion === undefined || portion.number <= this.#number) return
    this.#number = portion.number
    this.#last = portion
    this.#addAll(portion)
  }

  /** When a portion was last certainly stored, in ms by the wall clock, which continues while a machine is suspended. */
  get acknowledgedAt(): number {
    return this.#acknowledgedAt
  }

  /** Takes a portion as stored, though not in this process's rows. */
  skip(number: number): void {
    this.#number = Math.max(this.#number, number)
    this.#acknowledged = Math.max(this.#acknowledged, number)
  }

  /** The portion that is not certainly stored; undefined: there is none. */
  unacknowledged(): readonly OperationCounts[] | undefined {
    return this.#number === this.#acknowledged ? undefined : this.#last?.operations
  }

  /** Whether it is time to write the rows. */
  get areRowsDue(): boolean {
    return this.#portions === undefined || this.#portions >= PORTIONS
  }

  /** Returns the changes after which the rows hold everything. */
  changes(): Changes {
    const changed = [...this.#documents.values()].filter(({ isChanged }) => isChanged)
    return {
      changed: changed.map(({ operation, lineage, state, written }) => ({
        counts: exportState(operation, lineage, state),
        written,
      })),
      dropped: this.#dropped,
    }
  }

  /** Called when all portions are stored. @param written the changes written to the rows; undefined: only a portion was stored. */
  acknowledge(written?: Changes): void {
    if (this.#number !== this.#acknowledged) this.#portions = (this.#portions ?? 0) + 1
    this.#acknowledged = this.#number
    this.#acknowledgedAt = Date.now()
    this.#last = undefined
    if (written === undefined) return
    this.#portions = 0
    this.#dropped = []
    for (const { counts } of written.changed) {
      const document = this.#documents.get(keyOf(counts))
      if (document !== undefined) Object.assign(document, { isChanged: false, written: counts })
    }
  }

  /** Called when it is unknown what the rows hold. All of them are then written again. */
  distrust(): void {
    this.#portions = undefined
    for (const document of this.#documents.values()) {
      document.isChanged = true
      document.written = undefined
    }
  }

  /** Starts over with empty counts, because portions up to `stored` were folded. */
  startOver(stored: number): void {
    this.#documents.clear()
    this.#dropped = []
    this.#portions = undefined
    this.#acknowledgedAt = Number.POSITIVE_INFINITY
    if (this.#last !== undefined && stored < this.#number) this.#addAll(this.#last)
  }

  #addAll({ operations }: Portion): void {
    for (const counts of operations) {
      const { operation, lineage } = counts
      const key = keyOf(counts)
      const known = this.#documents.get(key)
      const document = known ?? { operation, lineage, state: newState(), isChanged: true, written: undefined }
      this.#documents.set(key, document)
      addCounts(document.state, counts)
      document.isChanged = true
      if (known === undefined) this.#dropOldest(operation)
    }
  }

  /** Keeps a service that reports another release with each answer from filling the table. */
  #dropOldest(operation: string): void {
    const all = [...this.#documents].filter(([, document]) => document.operation === operation)
    if (all.length <= MOST_LINEAGES) return
    const now = Date.now()
    const until = ([, { state }]: readonly [string, Document]): number => lastOf(state.period, now)
    const [key, document] = all.reduce((oldest, one) => (until(one) < until(oldest) ? one : oldest))
    this.#documents.delete(key)
    this.#dropped.push(document)
  }
}

const keyOf = ({ operation, lineage }: Pick<OperationCounts, 'operation' | 'lineage'>): string =>
  `${operation}\n${lineageKey(lineage)}`
