import { DAY_MS } from '../../common/time.ts'
import { OTHERS } from '../../observe/traffic.ts'
import type { Engine } from '../../state/sql.ts'
import { query, type Work } from '../../state/sql.ts'
import type { BrownedClient, BrownoutQuery } from '../brownouts/brownout-calls.ts'
import { KEPT_DAYS, MOST_CLIENTS, type OperationUsage, type WeekOfUsage } from '../usage.ts'
import type { UsagePortion, UsageQuery, UsedAgain } from '../usage-store.ts'
import { addBrownouts } from './add-brownouts.ts'
import { addRows, cleanRows, clientsApart, inOrder, type Known } from './add-rows.ts'
import { brownoutsPage } from './brownout-rows.ts'
import { dayAt, dayNumber } from './day-number.ts'
import { keepAnswer, noteUse, takeNumber } from './portion-numbers.ts'
import { type Page, usagePage, weeksPage } from './read-pages.ts'

/** The part of a `UsageStore` that works on the database, for a thread of its own. No function keeps it busy for long. */
export interface UsageDb {
  /** @param process new at each start of a gateway. */
  add(process: string, portion: UsagePortion): Promise<readonly UsedAgain[]>
  /** @param after the last client of the previous page; empty for the first page. */
  read(query: UsageQuery, after: string): Promise<Page<OperationUsage>>
  weeks(after: string): Promise<Page<WeekOfUsage>>
  /** @param queries one at least. */
  brownouts(queries: readonly BrownoutQuery[], after: string): Promise<Page<BrownedClient>>
  /** Deletes some older rows; false if there may be more. */
  forgetBefore(day: string): Promise<boolean>
}

export interface UsageBounds {
  /** How many clients of a day are counted separately. */
  readonly mostClients: number
  /** The most rows read at once. */
  readonly pageRows: number
}

/** A page takes some milliseconds. */
const FOR_A_THREAD: UsageBounds = { mostClients: MOST_CLIENTS, pageRows: 2_000 }

/** Opens usage on a database. The statements are the same on all engines. */
export function usageDb(engine: Engine, { mostClients, pageRows }: UsageBounds = FOR_A_THREAD): UsageDb {
  let known: Known = new Map()

  function* add(process: string, { number, rows }: UsagePortion, now: Date): Work<Added> {
    const answered = yield* takeNumber(process, number, now)
    if (answered !== undefined) return { again: answered, apart: known }
    const clean = cleanRows(rows)
    const apart = yield* clientsApart(clean, known, mostClients)
    const told = clean.map((row) => (apart.get(row.day)?.clients.has(row.client) ? row : { ...row, client: OTHERS }))
    const ordered = inOrder(told)
    yield* addRows(ordered)
    yield* addBrownouts(ordered)
    const again = yield* noteUse(told)
    yield* keepAnswer(process, again)
    return { again, apart }
  }
  return {
    async add(process, portion) {
      const { again, apart } = await engine.transaction((now) => add(process, portion, now))
      known = apart
      return again
    },
    read: (query, after) => engine.transaction(() => usagePage(query, after, pageRows), 'read'),
    brownouts: (queries, after) => engine.transaction(() => brownoutsPage(queries, after, pageRows), 'read'),
    weeks: (after) => engine.transaction((now) => weeksPage(after, pageRows, now), 'read'),
    forgetBefore: (day) => engine.transaction((now) => forgetSome(day, now)),
  }
}

interface Added {
  readonly again: readonly UsedAgain[]
  /** What to remember from now on. */
  readonly apart: Known
}

/** Calls a function of the `UsageDb` in another thread, by its name. */
export type AskUsage = (name: keyof UsageDb, args: readonly unknown[]) => Promise<unknown>

/** Returns the function that answers these calls in the thread that has the `UsageDb`. */
export function answerUsage(db: UsageDb): AskUsage {
  const byName = db as unknown as Readonly<Record<string, (...args: readonly unknown[]) => Promise<unknown>>>
  return async (name, args) => byName[name]?.(...args)
}

/** Returns a `UsageDb` that calls the one in another thread. */
export function usageDbOf(ask: AskUsage): UsageDb {
  const asked =
    <Name extends keyof UsageDb>(name: Name) =>
    (...args: Parameters<UsageDb[Name]>) =>
      ask(name, args) as ReturnType<UsageDb[Name]>
  return {
    ...{ add: asked('add'), read: asked('read'), weeks: asked('weeks'), brownouts: asked('brownouts') },
    forgetBefore: asked('forgetBefore'),
  }
}

/** The most rows deleted at once. */
const AT_ONCE = 1_000
/** A process that has stored nothing for this long will not resend a portion. */
const WRITER_GONE_MS = 30 * DAY_MS

/**
 * Deletes some rows from before a day; false if there may be more. The rows must be older than `KEPT_DAYS` by the store's clock
 * too, so that a process whose clock is wrong deletes nothing.
 */
function* forgetSome(day: string, now: Date): Work<boolean> {
  const before = Math.min(dayNumber(day), dayAt(now) - KEPT_DAYS)
  const deleted = yield* query(DELETE_ROWS, before)
  if (deleted.length === AT_ONCE) return false
  yield* query('DELETE FROM usage_day WHERE day < $1', before)
  yield* query('DELETE FROM usage_brownout WHERE day < $1', before)
  yield* query('DELETE FROM usage_writer WHERE seen_at < $1', new Date(now.getTime() - WRITER_GONE_MS).toISOString())
  return true
}

const DELETE_ROWS = `
  DELETE FROM usage WHERE (client, day, operation) IN (
    SELECT client, day, operation FROM usage WHERE day < $1 ORDER BY day LIMIT ${AT_ONCE}) RETURNING day`
