import type { Database } from '../../../state/postgres/database.ts'
import { checkVersion } from '../../../state/postgres/schema.ts'
import type { StoredResults } from '../stored-results.ts'
import { callsOf, percentsIn, READ_PERCENTS, READ_STEPS, readCallsSince, stepOf } from '../stored-results.ts'
import { readResets } from './audit-rows.ts'
import { Sums } from './sum-rows.ts'

/**
 * Reads the results of all replicas without changing anything, even while they run.
 * @param callsSince the first day of the calls, YYYY-MM-DD.
 * @throws StateError if they cannot be read.
 */
export const readPostgres = (database: Database, schema: string, callsSince: string): Promise<StoredResults> =>
  database.transaction(async (transaction) => {
    await checkVersion(transaction, database.name, schema)
    const [begun] = await transaction.query<{ readonly ms: number }>(
      'SELECT round(extract(epoch FROM at) * 1000)::float8 AS ms FROM begun',
    )
    const sums = await new Sums(database.name).read(transaction)
    return {
      since: new Date(begun?.ms ?? 0).toISOString(),
      counts: sums.map(({ counts }) => counts),
      resets: await readResets(transaction),
      steps: (await transaction.query(READ_STEPS)).map(stepOf),
      percents: percentsIn(await transaction.query(READ_PERCENTS)),
      calls: (await transaction.query(readCallsSince(callsSince))).map(callsOf),
    }
  }, 'read')
