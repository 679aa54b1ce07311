import type { Transaction } from '../../../state/postgres/database.ts'
import { addCounts } from '../add-counts.ts'
import { exportState, newState } from '../operation-state.ts'
import type { KeptCounts } from '../state-store.ts'
import { COLUMNS, readRow, type TallyRow } from './tally-rows.ts'

/** Adds up the counts of one lineage of an operation. The order makes no difference. */
export function sumOf([first, ...others]: readonly [KeptCounts, ...(readonly KeptCounts[])]): KeptCounts {
  if (others.length === 0) return first
  const state = newState()
  const all = [first, ...others]
  for (const { counts } of all) addCounts(state, counts, { ignored: () => null })
  const { operation, lineage } = first.counts
  return {
    day: all.map(({ day }) => day).reduce((a, b) => (a > b ? a : b)),
    counts: exportState(operation, lineage, state),
  }
}

interface Sum {
  /** Which versions of which rows it is made of. */
  readonly rows: string
  readonly kept: KeptCounts
}

/** A row's version: the transaction that wrote it. */
const LIST = `
  SELECT operation, lineage, string_agg(replica || ' ' || incarnation || ' ' || xmin, ',' ORDER BY replica, incarnation) AS rows
  FROM tally GROUP BY operation, lineage ORDER BY operation COLLATE "C", lineage COLLATE "C"`

type Listed = { readonly operation: string; readonly lineage: string; readonly rows: string }

/** Adds up the rows of all replicas. Only lineages of which rows have changed are read again. */
export class Sums {
  readonly #name: string
  #sums: ReadonlyMap<string, Sum> = new Map()

  /** @param name of the database, for messages. */
  constructor(name: string) {
    this.#name = name
  }

  /** Returns the sums of all lineages, by operation and lineage. `transaction` must be a snapshot. */
  async read(transaction: Transaction): Promise<readonly KeptCounts[]> {
    const sums = new Map<string, Sum>()
    for (const { operation, lineage, rows } of await transaction.query<Listed>(LIST)) {
      const key = `${operation}\n${lineage}`
      const before = this.#sums.get(key)
      sums.set(key, before?.rows === rows ? before : { rows, kept: await this.#sum(transaction, operation, lineage) })
    }
    this.#sums = sums
    return [...sums.values()].map(({ kept }) => kept)
  }

  async #sum(transaction: Transaction, operation: string, lineage: string): Promise<KeptCounts> {
    const rows = await transaction.query<TallyRow>(
      `SELECT ${COLUMNS} FROM tally WHERE operation = $1 AND lineage = $2 ORDER BY replica, incarnation`,
      [operation, lineage],
    )
    const [first, ...others] = rows.map((row) => readRow(row, this.#name))
    return sumOf([first as KeptCounts, ...others])
  }
}
