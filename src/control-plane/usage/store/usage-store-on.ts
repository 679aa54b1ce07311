import { setImmediate } from 'node:timers/promises'
import type { Logger } from 'pino'
import { OTHERS, UNIDENTIFIED } from '../../../observe/traffic.ts'
import type { Engine } from '../../store/engine.ts'
import { once } from '../../store/ledger.ts'
import { KEPT_DAYS, type Kept } from '../../store/retention.ts'
import { query, type Work } from '../../store/sql.ts'
import { addUsage, MOST_CLIENTS, type OperationUsage, type WeekOfUsage } from '../usage.ts'
import type { UsageStore } from '../usage-store.ts'
import { addRows, cleanRows, clientsApart, inOrder, type Known } from './add-rows.ts'
import { addMarks, brownoutsPage } from './brownout-marks.ts'
import { daysPage } from './days-page.ts'
import { type Page, type UnreadableRow, usagePage, weeksPage } from './read-pages.ts'
import { noteUse } from './used-again.ts'

export interface UsageBounds {
  /** How many clients of a day are counted separately. */
  readonly mostClients: number
  /** The most rows read at once. */
  readonly pageRows: number
  /** The most rows stored; those that were added last stay. Unset: there is no bound. */
  readonly mostRows?: number
}

/** A page takes some milliseconds. */
const ON_DISK: UsageBounds = { mostClients: MOST_CLIENTS, pageRows: 2_000 }
/** Some 50 MB, and no day that fills them alone. */
export const IN_MEMORY: UsageBounds = { mostClients: 1_000, pageRows: 2_000, mostRows: 50_000 }

/** What is deleted when it is too old. */
export const KEPT_USAGE: readonly Kept[] = [
  { table: 'usage', key: 'client, day, operation', column: 'day', days: KEPT_DAYS },
  { table: 'usage_day', key: 'day', column: 'day', days: KEPT_DAYS },
]

/** On SQLite alone, which is the only engine in memory. */
const DELETE_BEYOND = 'DELETE FROM usage WHERE rowid <= (SELECT max(rowid) FROM usage) - $1'

/** How many unreadable rows the log names. */
const MOST_NAMED = 100

export interface UsageStoreOptions {
  readonly engine: Pick<Engine, 'transaction'>
  /** Identifies this process in the portions it stores; new at each start. */
  readonly process: string
  readonly bounds?: UsageBounds | undefined
  readonly log: Pick<Logger, 'warn'>
}

/** Stores usage on an engine. What is long is read in pages, so that writers, and whoever shares the thread, need not wait for all of it. */
export function usageStore({ engine, process, bounds = ON_DISK, log }: UsageStoreOptions): UsageStore {
  const { mostClients, pageRows, mostRows } = bounds
  /** What this process remembers of the latest days, once a transaction is committed. */
  let known: Known = new Map()
  const named = new Set<string>()

  const warn = (unreadable: readonly UnreadableRow[]): void => {
    for (const row of unreadable) {
      const name = JSON.stringify(row)
      if (named.has(name) || named.size === MOST_NAMED) continue
      named.add(name)
      log.warn(
        row,
        'a row of the table usage cannot be read: what its calls showed is missing from reports; restore it from a backup, or delete it',
      )
    }
  }
  async function* pages<Row>(
    page: (after: string, most: number, now: Date) => Work<Page<Row>>,
  ): AsyncIterable<readonly Row[]> {
    for (let after: string | undefined = ''; after !== undefined; ) {
      const from: string = after
      const { rows, last, unreadable } = await engine.transaction((now) => page(from, pageRows, now), 'read')
      warn(unreadable)
      yield rows
      after = last
      await setImmediate()
    }
  }
  const all = async <Row extends Counted>(
    rowsOf: AsyncIterable<readonly Row[]>,
    adding: Adding<Row>,
  ): Promise<readonly Row[]> => {
    const callers = mostCalls(adding)
    for await (const rows of rowsOf) callers.add(rows)
    return callers.rows()
  }
  return {
    async add({ number, rows }) {
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
    async read(asked) {
      const rows = await all(
        pages((after, most) => usagePage(asked, after, most)),
        USAGE,
      )
      return rows.toSorted((one, other) => other.calls - one.calls)
    },
    weeks: () => all(pages(weeksPage), WEEK),
    days: (since) => pages((after, most) => daysPage(since, after, most)),
    brownouts: (queries) => pages((after, most) => brownoutsPage(queries, after, most)),
  }
}

interface Counted {
  readonly client: string
  readonly operation: string
  readonly calls: number
}

/** How the rows of clients that count together are added up. */
interface Adding<Row extends Counted> {
  /** Tells the rows of one client apart. */
  readonly keyOf: (row: Row) => string
  readonly add: (one: Row, other: Row) => Row
}

const USAGE: Adding<OperationUsage> = {
  keyOf: ({ operation }) => operation,
  add: (one, other) => ({ ...one, ...addUsage(one, other) }),
}
const WEEK: Adding<WeekOfUsage> = {
  keyOf: ({ operation, weeksAgo }) => `${weeksAgo} ${operation}`,
  add: (one, other) => ({ ...one, calls: one.calls + other.calls }),
}

/** Keeps the rows of the `MOST_CLIENTS` clients with the most calls. Those of all others are added up under `OTHERS`, so that no call is lost. */
function mostCalls<Row extends Counted>({ keyOf, add }: Adding<Row>) {
  const clients: (readonly [calls: number, rows: readonly Row[]])[] = []
  const unidentified: Row[] = []
  const others = new Map<string, Row>()
  const addToOthers = (row: Row): void => {
    const key = keyOf(row)
    const sum = others.get(key)
    others.set(key, sum === undefined ? { ...row, client: OTHERS } : add(sum, row))
  }
  const cut = (): void => {
    if (clients.length <= MOST_CLIENTS) return
    clients.sort(([one], [other]) => other - one)
    for (const [, rows] of clients.splice(MOST_CLIENTS)) rows.forEach(addToOthers)
  }
  return {
    /** @param rows all rows of some clients. */
    add(rows: readonly Row[]): void {
      for (const [client, own] of Map.groupBy(rows, ({ client }) => client)) {
        if (client === OTHERS) own.forEach(addToOthers)
        else if (client === UNIDENTIFIED) unidentified.push(...own)
        else clients.push([own.reduce((sum, { calls }) => sum + calls, 0), own])
      }
      if (clients.length > 2 * MOST_CLIENTS) cut()
    },
    rows(): readonly Row[] {
      cut()
      return [...clients.flatMap(([, rows]) => rows), ...unidentified, ...others.values()]
    },
  }
}
