import type { Answered } from '../answered.ts'
import { answeredSince, type BothSides, NOTHING } from './add-answered.ts'
import type { Fate } from './answered-rows.ts'

/** The rows of this process. */
export interface OwnRows {
  /** Makes rows in which nothing is counted yet; those that are there stay as they are. */
  begin(answered: readonly Answered[]): Promise<unknown>
  /** Writes rows that are there, and says in their order what became of them. */
  write(answered: readonly Answered[]): Promise<readonly Fate[]>
}

interface Row {
  /** What was answered in all when it was last written for certain. */
  readonly stored: BothSides
  /** Of that, what is in the rows of all, because this process was thought to be gone. */
  readonly folded: BothSides
  readonly isThere: boolean
}

const NO_ROW: Row = { stored: NOTHING, folded: NOTHING, isThere: false }
const keyOf = ({ operation, stage }: Answered): string => `${stage} ${operation}`
const total = ({ v1, legacy }: BothSides): number => v1.calls + v1.failures + legacy.calls + legacy.failures

/**
 * Follows what is stored of what this process answered, so that nothing counts twice, whatever fails and whatever is folded. A row
 * is made empty first, so that one that is missing later was folded.
 */
export class OwnAnswers {
  readonly #own: OwnRows
  #rows: ReadonlyMap<string, Row> = new Map()
  /** Sent, but nobody knows whether it was stored. Nothing else is sent before that is known. */
  #unsure: readonly Answered[] = []

  constructor(own: OwnRows) {
    this.#own = own
  }

  /** @param answered all that this process answered, at the stages that count. */
  async keep(answered: readonly Answered[]): Promise<void> {
    if (this.#unsure.length > 0) await this.#send(this.#unsure, true)
    const current = new Set(answered.map(keyOf))
    this.#rows = new Map([...this.#rows].filter(([key]) => current.has(key)))
    const isFolded = await this.#store(answered)
    // It goes on in a row of its own with what is new.
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
        // If it was sent before, it may be in what was folded: rather is a moment not counted than counted twice.
        const gone = isAgain ? one : stored
        rows.set(keyOf(one), { stored: gone, folded: gone, isThere: false })
      }
    }
    this.#rows = rows
    return fates.includes('gone')
  }
}
