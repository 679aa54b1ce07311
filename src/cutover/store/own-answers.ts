import type { Answered } from '../answered.ts'
import { addAnswered, answeredSince, type BothSides } from './add-answered.ts'
import type { AnsweredRow, Fate } from './answered-rows.ts'

/** Writes rows, and says in their order what became of them. */
export type WriteRows = (rows: readonly AnsweredRow[]) => Promise<readonly Fate[]>

interface Row {
  /** What was answered in all when it was last written for certain. */
  readonly stored: BothSides
  /** Of that, what is in the rows of all, because this process was thought to be gone. */
  readonly folded: BothSides
}

const NOTHING: BothSides = addAnswered([])
const keyOf = ({ operation, stage }: Answered): string => `${stage} ${operation}`
const total = ({ v1, legacy }: BothSides): number => v1.calls + v1.failures + legacy.calls + legacy.failures

/** Follows what is stored of what this process answered, so that everything counts once. */
export class OwnAnswers {
  readonly #write: WriteRows
  #rows: ReadonlyMap<string, Row> = new Map()
  /** Sent, but nobody knows whether it was stored. Nothing else is sent before that is known. */
  #unsure: readonly Answered[] = []

  constructor(write: WriteRows) {
    this.#write = write
  }

  /** @param answered all that this process answered, at the stages that count. */
  async keep(answered: readonly Answered[]): Promise<void> {
    if (this.#unsure.length > 0) await this.#send(this.#unsure, true)
    const current = new Set(answered.map(keyOf))
    this.#rows = new Map([...this.#rows].filter(([key]) => current.has(key)))
    // What was folded meanwhile goes on with what is new.
    if (await this.#send(this.#new(answered), false)) await this.#send(this.#new(answered), false)
  }

  #new(answered: readonly Answered[]): readonly Answered[] {
    return answered.filter((one) => total(one) > total(this.#rows.get(keyOf(one))?.stored ?? NOTHING))
  }

  /** Returns whether a row was folded. */
  async #send(answered: readonly Answered[], isAgain: boolean): Promise<boolean> {
    if (answered.length === 0) return false
    this.#unsure = answered
    const rows = answered.map((one): AnsweredRow => {
      const row = this.#rows.get(keyOf(one))
      const { operation, stage } = one
      return { operation, stage, ...answeredSince(one, row?.folded ?? NOTHING), isKnown: isThere(row) }
    })
    const fates = await this.#write(rows)
    this.#unsure = []
    const all = new Map(this.#rows)
    for (const [at, one] of answered.entries()) {
      const row = all.get(keyOf(one))
      if (fates[at] === 'stored') all.set(keyOf(one), { stored: one, folded: row?.folded ?? NOTHING })
      else if (fates[at] === 'over') all.delete(keyOf(one))
      else {
        // If it was sent before, that may be what was folded. Rather is something not counted than counted twice.
        const folded = isAgain ? one : (row?.stored ?? NOTHING)
        all.set(keyOf(one), { stored: folded, folded })
      }
    }
    this.#rows = all
    return fates.includes('gone')
  }
}

/** Whether there must be a row: what was stored is not all folded. */
const isThere = (row: Row | undefined): boolean => row !== undefined && row.stored !== row.folded
