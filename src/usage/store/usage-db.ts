import { OTHERS } from '../../observe/traffic.ts'
import type { Engine } from '../../state/engine.ts'
import type { Work } from '../../state/sql.ts'
import type { BrownoutQuery } from '../brownouts/brownout-calls.ts'
import type { BrownedClient } from '../brownouts/sum-brownouts.ts'
import { MOST_CLIENTS, type OperationUsage, type WeekOfUsage } from '../usage.ts'
import type { UsagePortion, UsageQuery, UsedAgain } from '../usage-store.ts'
import { addBrownouts } from './add-brownouts.ts'
import { addRows } from './add-rows.ts'
import { brownoutsPage } from './brownouts-page.ts'
import { cleanRows, inOrder } from './clean-rows.ts'
import { clientsApart, type Known } from './clients-apart.ts'
import { forgetSome } from './forget-old.ts'
import { keepAnswer, takeNumber } from './portion-numbers.ts'
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
