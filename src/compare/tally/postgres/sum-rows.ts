import type { Transaction } from '../../../state/postgres/database.ts'
import { lineageKey } from '../../lineage.ts'
import type { OperationCounts } from '../operation-counts.ts'
import { sumOfCounts } from '../operation-state.ts'
import type { KeptCounts } from '../state-store.ts'
import { MOST_LINEAGES } from '../tally.ts'
import { readPortions } from './portion-rows.ts'
import { COLUMNS, readRow, type TallyRow, UNTIL } from './tally-rows.ts'

/** Adds up counts of one lineage of an operation. */
export const sumOf = (all: readonly OperationCounts[]): OperationCounts =>
  all.length === 1 ? (all[0] as OperationCounts) : sumOfCounts(all)

/** Groups counts by operation and lineage. */
export const byLineage = (all: readonly KeptCounts[]): ReadonlyMap<string, readonly KeptCounts[]> =>
  Map.groupBy(all, ({ counts: { operation, lineage } }) => `${operation}\n${lineageKey(lineage)}`)

export const TODAY = "SELECT (now() AT TIME ZONE 'UTC')::date::text AS today"

interface Sum {
  /** The rows, with their versions, that the sum was made from. */
  readonly rows: string
  readonly kept: KeptCounts
}

/**
 * Lists the newest lineages of each operation, with their rows and the versions of these. A row's version is the transaction that
 * wrote it. The number of lineages is limited, so that a service that reports another release with each answer cannot fill memory.
 */
const LIST = `
  SELECT operation, lineage, rows FROM (
    SELECT operation, lineage,
      string_agg(replica || ' ' || incarnation || ' ' || xmin, ',' ORDER BY replica, incarnation) AS rows,
      row_number() OVER (PARTITION BY operation ORDER BY max(${UNTIL}) DESC NULLS LAST, lineage) AS nth
    FROM tally GROUP BY operation, lineage) AS listed
  WHERE nth <= ${MOST_LINEAGES}`

type Listed = { readonly operation: string; readonly lineage: string; readonly rows: string }

/** Adds up the results of all replicas. Reads only the rows of changed lineages again. */
export class Sums {
  readonly #name: string
  #sums: ReadonlyMap<string, Sum> = new Map()

  /** @param name the database's name in messages. */
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
    const [{ today } = { today: '' }] = await transaction.query<{ readonly today: string }>(TODAY)
    const portions = (await readPortions(transaction, this.#name)).map((counts) => ({ day: today, counts }))
    const all = byLineage([...[...sums.values()].map(({ kept }) => kept), ...portions])
    return [...all]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, each]) => ({ day: lastDay(each), counts: sumOf(each.map(({ counts }) => counts)) }))
  }

  async #sum(transaction: Transaction, operation: string, lineage: string): Promise<KeptCounts> {
    const rows = await transaction.query<TallyRow>(
      `SELECT ${COLUMNS} FROM tally WHERE operation = $1 AND lineage = $2 ORDER BY replica, incarnation`,
      [operation, lineage],
    )
    const all = rows.map((row) => readRow(row, this.#name))
    return { day: lastDay(all), counts: sumOf(all.map(({ counts }) => counts)) }
  }
}

/** The day on which the last results came; `YYYY-MM-DD`. */
export const lastDay = (all: readonly KeptCounts[]): string =>
  all.map(({ day }) => day).reduce((last, day) => (day > last ? day : last), '')
