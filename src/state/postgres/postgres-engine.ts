import type { Engine } from '../sql.ts'
import { runInTurn, type Work } from '../sql.ts'
import type { Database, Transaction } from './database.ts'

/** @param database has the tables, or creates them when it is used. Its clock is the store's clock. */
export const postgresEngine = (database: Pick<Database, 'transaction'>): Engine => ({
  transaction: (work, kind) => database.transaction((transaction) => runWithin(transaction, work), kind),
})

/** Runs work within a transaction. */
export async function runWithin<Result>(transaction: Transaction, work: (now: Date) => Work<Result>): Promise<Result> {
  const [row] = await transaction.query<{ readonly now: Date }>('SELECT clock_timestamp() AS now')
  return runInTurn(work(row?.now as Date), ({ text, values }) => transaction.query(text, values))
}
