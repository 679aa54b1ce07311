import { setImmediate } from 'node:timers/promises'
import type { Logger } from 'pino'
import { inSlices, sortInSlices } from '../../observe/in-slices.ts'
import { OTHERS, UNIDENTIFIED } from '../../observe/traffic.ts'
import type { BrownedClient } from '../brownouts/brownout-calls.ts'
import { addUsage, MOST_CLIENTS, type OperationUsage, type WeekOfUsage } from '../usage.ts'
import type { UsageStore } from '../usage-store.ts'
import type { Page, UnreadableRow } from './read-pages.ts'
import type { UsageDb } from './usage-db.ts'

export interface UsageStoreOptions {
  /** Identifies this process in the portions it stores; new at each start. */
  readonly process: string
  /** The part that works on the database, in a thread. */
  readonly db: UsageDb
  readonly log: Pick<Logger, 'warn'>
}

/** How many unreadable rows the log names. */
const MOST_NAMED = 100

/**
 * Stores usage through a thread. Long work is split into pieces, so that the thread can answer others in between, and the event
 * loop turns.
 */
export function usageStore({ process, db, log }: UsageStoreOptions): UsageStore {
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
  const all = async <Row extends Counted>(
    page: (after: string) => Promise<Page<Row>>,
    adding: Adding<Row>,
  ): Promise<readonly Row[]> => {
    const callers = mostCalls(adding)
    for (let after: string | undefined = ''; after !== undefined; ) {
      const { rows, last, unreadable } = await page(after)
      warn(unreadable)
      await callers.add(rows)
      after = last
      await setImmediate()
    }
    return callers.rows()
  }
  return {
    add: (portion) => db.add(process, portion),
    read: async (query) =>
      sortInSlices(await all((after) => db.read(query, after), USAGE), (one, other) => other.calls - one.calls),
    weeks: () => all(db.weeks, WEEK),
    async *brownouts(queries) {
      for (let after: string | undefined = ''; after !== undefined; ) {
        const page: Page<BrownedClient> = await db.brownouts(queries, after)
        yield page.rows
        after = page.last
        await setImmediate()
      }
    },
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
  let clients: (readonly [calls: number, rows: readonly Row[]])[] = []
  const unidentified: Row[] = []
  const others = new Map<string, Row>()
  const addToOthers = (row: Row): void => {
    const key = keyOf(row)
    const sum = others.get(key)
    others.set(key, sum === undefined ? { ...row, client: OTHERS } : add(sum, row))
  }
  const cut = async (): Promise<void> => {
    if (clients.length <= MOST_CLIENTS) return
    clients = clients.sort(([one], [other]) => other - one)
    await inSlices(clients.splice(MOST_CLIENTS), ([, rows]) => rows.forEach(addToOthers))
  }
  return {
    /** @param rows all rows of some clients. */
    async add(rows: readonly Row[]): Promise<void> {
      for (const [client, own] of Map.groupBy(rows, ({ client }) => client)) {
        if (client === OTHERS) own.forEach(addToOthers)
        else if (client === UNIDENTIFIED) unidentified.push(...own)
        else clients.push([own.reduce((sum, { calls }) => sum + calls, 0), own])
      }
      if (clients.length > 2 * MOST_CLIENTS) await cut()
    },
    async rows(): Promise<readonly Row[]> {
      await cut()
      const apart = [unidentified, [...others.values()]]
      // There may be two million: to grow such an array takes long each time.
      const all = new Array<Row>(
        [...clients.map(([, rows]) => rows), ...apart].reduce((sum, { length }) => sum + length, 0),
      )
      let end = 0
      await inSlices(clients, ([, rows]) => {
        for (const row of rows) all[end++] = row
      })
      for (const row of apart.flat()) all[end++] = row
      return all
    },
  }
}
