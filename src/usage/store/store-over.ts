import { setImmediate } from 'node:timers/promises'
import type { Logger } from 'pino'
import { inSlices } from '../../observe/in-slices.ts'
import type { BrownedClient } from '../brownouts/sum-brownouts.ts'
import { sortInSlices } from '../sort-in-slices.ts'
import { MOST_CLIENTS } from '../usage.ts'
import type { UsageStore } from '../usage-store.ts'
import { type AskUsage, usageDbOf } from './ask-usage.ts'
import type { Page, UnreadableRow } from './read-pages.ts'

export interface UsageStoreOptions {
  /** Identifies this process in the portions it stores; new at each start. */
  readonly process: string
  /** Calls the thread that has the database. */
  readonly ask: AskUsage
  readonly log: Pick<Logger, 'warn'>
}

/** How many unreadable rows the log names. */
const MOST_NAMED = 100

/**
 * Stores usage through a thread. Long work is split into pieces, so that the thread can answer others in between, and the event
 * loop turns.
 */
export function usageStore({ process, ask, log }: UsageStoreOptions): UsageStore {
  const db = usageDbOf(ask)
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
  const all = async <Row extends Counted>(page: (after: string) => Promise<Page<Row>>): Promise<readonly Row[]> => {
    const callers = mostCalls<Row>()
    for (let after: string | undefined = ''; after !== undefined; ) {
      const { rows, last, unreadable } = await page(after)
      warn(unreadable)
      callers.add(rows)
      after = last
      await setImmediate()
    }
    return callers.rows()
  }
  return {
    add: (portion) => db.add(process, portion),
    read: async (query) =>
      sortInSlices(await all((after) => db.read(query, after)), (one, other) => other.calls - one.calls),
    weeks: () => all(db.weeks),
    async *brownouts(queries) {
      for (let after: string | undefined = ''; after !== undefined; ) {
        const page: Page<BrownedClient> = await db.brownouts(queries, after)
        yield page.rows
        after = page.last
        await setImmediate()
      }
    },
    async forgetBefore(day) {
      while (!(await db.forgetBefore(day))) await setImmediate()
    },
  }
}

interface Counted {
  readonly client: string
  readonly calls: number
}

/** Keeps the rows of the `MOST_CLIENTS` clients with the most calls. */
function mostCalls<Row extends Counted>() {
  let clients: (readonly [calls: number, rows: readonly Row[]])[] = []
  const forget = (): void => {
    if (clients.length <= MOST_CLIENTS) return
    clients = clients.sort(([one], [other]) => other - one).slice(0, MOST_CLIENTS)
  }
  return {
    /** @param rows all rows of one client. */
    add(rows: readonly Row[]): void {
      for (const own of Map.groupBy(rows, ({ client }) => client).values()) {
        clients.push([own.reduce((sum, { calls }) => sum + calls, 0), own])
      }
      if (clients.length > 2 * MOST_CLIENTS) forget()
    },
    async rows(): Promise<readonly Row[]> {
      forget()
      // There may be two million: to grow such an array takes long each time.
      const all = new Array<Row>(clients.reduce((sum, [, rows]) => sum + rows.length, 0))
      let end = 0
      await inSlices(clients, ([, rows]) => {
        for (const row of rows) all[end++] = row
      })
      return all
    },
  }
}
