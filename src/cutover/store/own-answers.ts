import type { Answered } from '../position.ts'
import type { Fate } from './answered-rows.ts'
import { answeredSince, type BothSides, NOTHING } from './answered-rows.ts'

/** The rows of this process. */
export interface OwnRows {
  /** Adds empty rows. Existing rows stay as they are. */
  begin(answered: readonly Answered[]): Promise<unknown>
  /** Writes existing rows. Returns the fate of each, in the same order. */
  write(answered: readonly Answered[]): Promise<readonly Fate[]>
}

interface Row {
  /** The total when the row was last known to be written. */
  readonly stored: BothSides
  /** The part of `stored` that is in the shared rows, because this process was thought to be gone. */
  readonly folded: BothSides
  readonly isThere: boolean
}

const NO_ROW: Row = { stored: NOTHING, folded: NOTHING, isThere: false }
const keyOf = ({ operation, stage }: Answered): string => `${stage} ${operation}`
const total = ({ v1, legacy }: BothSides): number => v1.calls + v1.failures + legacy.calls + legacy.failures

/**
 * Tracks how much of what this process answered is stored, so that nothing counts twice, even after failures and folding. A row
 * is added empty first: if it is missing later, it was folded.
 */
export class OwnAnswers {
  readonly #own: OwnRows
  #rows: ReadonlyMap<string, Row> = new Map()
  /** Sent, but not confirmed as stored. Nothing else is sent before this is settled. */
  #unsure: readonly Answered[] = []

  constructor(own: OwnRows) {
    this.#own = own
  }

  /** @param answered everything that this process answered, at the stages that count. */
  async keep(answered: readonly Answered[]): Promise<void> {
    if (this.#unsure.length > 0) await this.#send(this.#unsure, true)
    const current = new Set(answered.map(keyOf))
    this.#rows = new Map([...this.#rows].filter(([key]) => current.has(key)))
    const isFolded = await this.#store(answered)
    // A folded row starts again, with only what is new.
    if (isFolded) await this.#store(answered)
  }

  #row(one: Answered): Row {
    return this.#rows.get(keyOf(one)) ?? NO_ROW
  }

  /** Returns whether a row was folded. */
  async #store(answered: readonly Answered[]): Promise<boolean> {
    const fresh = answered.filter((one) => total(one) > total(this.#row(one).stored))
    const missing = fresh.filter((one) => !this.#row(one).isThere)
    if (missing.length > 0) {
      await this.#own.begin(missing)
      const begun = missing.map((one) => [keyOf(one), { ...this.#row(one), isThere: true }] as const)
      this.#rows = new Map([...this.#rows, ...begun])
    }
    return fresh.length > 0 && (await this.#send(fresh, false))
  }

  async #send(answered: readonly Answered[], isAgain: boolean): Promise<boolean> {
    this.#unsure = answered
    const fates = await this.#own.write(
      answered.map((one) => ({ ...one, ...answeredSince(one, this.#row(one).folded) })),
    )
    this.#unsure = []
    const rows = new Map(this.#rows)
    for (const [at, one] of answered.entries()) {
      const { stored, folded } = this.#row(one)
      if (fates[at] === 'stored') rows.set(keyOf(one), { stored: one, folded, isThere: true })
      else if (fates[at] === 'over') rows.delete(keyOf(one))
      else {
        // If it was sent before, the folded row may include it: better to miss a moment than to count it twice.
        const gone = isAgain ? one : stored
        rows.set(keyOf(one), { stored: gone, folded: gone, isThere: false })
      }
    }
    this.#rows = rows
    return fates.includes('gone')
  }
}
