import { OTHERS } from '../../observe/traffic.ts'
import type { Engine } from '../../state/engine.ts'
import { once } from '../../state/ledger.ts'
import { KEPT_DAYS, type Kept } from '../../state/retention.ts'
import { query } from '../../state/sql.ts'
import type { BrownedClient, BrownoutQuery } from '../brownouts/brownout-calls.ts'
import { MOST_CLIENTS, type OperationUsage, type WeekOfUsage } from '../usage.ts'
import type { UsagePortion, UsageQuery, UsedAgain } from '../usage-store.ts'
import { addRows, cleanRows, clientsApart, inOrder, type Known } from './add-rows.ts'
import { addMarks, brownoutsPage } from './brownout-marks.ts'
import { type Page, usagePage, weeksPage } from './read-pages.ts'
import { noteUse } from './used-again.ts'

/** The part of a `UsageStore` that works on the database, for a thread of its own. No function keeps it busy for long. */
export interface UsageDb {
  /** @param process new at each start of a gateway. */
  add(process: string, portion: UsagePortion): Promise<readonly UsedAgain[]>
  /** @param after the last client of the previous page; empty for the first page. */
  read(query: UsageQuery, after: string): Promise<Page<OperationUsage>>
  weeks(after: string): Promise<Page<WeekOfUsage>>
  /** @param queries one at least. */
  brownouts(queries: readonly BrownoutQuery[], after: string): Promise<Page<BrownedClient>>
}

export interface UsageBounds {
  /** How many clients of a day are counted separately. */
  readonly mostClients: number
  /** The most rows read at once. */
  readonly pageRows: number
  /** The most rows stored; those that were added last stay. Unset: there is no bound. */
  readonly mostRows?: number
}

/** A page takes some milliseconds. */
export const ON_DISK: UsageBounds = { mostClients: MOST_CLIENTS, pageRows: 2_000 }
/** Some 50 MB, and no day that fills them alone. */
export const IN_MEMORY: UsageBounds = { mostClients: 1_000, pageRows: 2_000, mostRows: 50_000 }

/** What is deleted when it is too old. */
export const KEPT_USAGE: readonly Kept[] = [
  { table: 'usage', key: 'client, day, operation', column: 'day', days: KEPT_DAYS },
  { table: 'usage_day', key: 'day', column: 'day', days: KEPT_DAYS },
]

/** Opens usage on a database. The statements are the same on all engines. */
export function usageDb(engine: Pick<Engine, 'transaction'>, bounds: UsageBounds = ON_DISK): UsageDb {
  const { mostClients, pageRows, mostRows } = bounds
  /** What this process remembers of the latest days, once a transaction is committed. */
  let known: Known = new Map()
  return {
    async add(process, { number, rows }) {
      let apart = known
      const again = await engine.transaction((now) =>
        once({ process, kind: 'usage', number }, now, function* () {
          const clean = cleanRows(rows)
          apart = yield* clientsApart(clean, known, mostClients)
          const told = clean.map((row) =>
            apart.get(row.day)?.clients.has(row.client) ? row : { ...row, client: OTHERS },
          )
          const ordered = inOrder(told)
          yield* addRows(ordered)
          yield* addMarks(ordered, now)
          if (mostRows !== undefined) yield* query(DELETE_BEYOND, mostRows)
          return yield* noteUse(told)
        }),
      )
      known = apart
      return again ?? []
    },
    read: (query, after) => engine.transaction(() => usagePage(query, after, pageRows), 'read'),
    brownouts: (queries, after) => engine.transaction(() => brownoutsPage(queries, after, pageRows), 'read'),
    weeks: (after) => engine.transaction((now) => weeksPage(after, pageRows, now), 'read'),
  }
}

/** On SQLite alone, which is the only engine in memory. */
const DELETE_BEYOND = 'DELETE FROM usage WHERE rowid <= (SELECT max(rowid) FROM usage) - $1'
