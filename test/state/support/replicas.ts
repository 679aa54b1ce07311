import { randomBytes } from 'node:crypto'
import type { Expectations } from '../../../src/compare/expected/expectations.ts'
import type { Observation } from '../../../src/compare/observation.ts'
import { countPortions } from '../../../src/compare/tally/portions.ts'
import { foldGone } from '../../../src/compare/tally/postgres/fold-gone.ts'
import { postgresDb } from '../../../src/compare/tally/postgres/postgres-db.ts'
import type { KeptCounts } from '../../../src/compare/tally/state-store.ts'
import { createTally, type Tally } from '../../../src/compare/tally/tally.ts'
import type { Database } from '../../../src/state/postgres/database.ts'
import type { GoneWatch } from '../../../src/state/postgres/heartbeat.ts'
import { openDatabase } from '../../../src/state/postgres/open-database.ts'
import { takeLease } from '../../../src/state/postgres/postgres-lease.ts'
import type { PostgresSettings } from '../../../src/state/postgres/postgres-settings.ts'
import { StateError } from '../../../src/state/state-error.ts'
import { criteriaOf } from '../../compare/support/observing.ts'

export const STATUS = { build: '0', mapping: 'm', rollout: null, position: null }

/** What becomes of a transaction that stores results. */
export type Fate = 'works' | 'fails' | 'works, but nobody hears of it'

/** A replica's store in this thread, whose transactions end as told. */
export function replicaOf(settings: PostgresSettings, expectations: ReadonlyMap<string, Expectations>) {
  const real = openDatabase(settings)
  let fate: Fate = 'works'
  /** Does something as told. */
  const ending = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const ended = fate
    fate = 'works'
    if (ended === 'fails') throw new StateError('no', true)
    const result = await work()
    if (ended === 'works') return result
    throw new StateError('who knows', true)
  }
  const database: Database = {
    ...real,
    query: (text, values) => ending(() => real.query(text, values)),
    transaction: (work, kind) =>
      kind === 'read' ? real.transaction(work, kind) : ending(() => real.transaction(work, kind)),
  }
  const start = randomBytes(6).toString('hex')
  const open = (thread: number) =>
    postgresDb({ database, schema: settings.schema, id: 'replica', start, thread, tell: () => undefined })
  let thread = 0
  let db = open(thread)
  const criteria = () => criteriaOf(expectations)
  const portions = countPortions(criteria)
  return {
    start,
    database,
    record: (observation: Observation) => portions.record(observation),
    /** Stores what is not stored yet; false: it failed. */
    async flush(how: Fate = 'works'): Promise<boolean> {
      try {
        await db.open(new Date(0))
        const portion = portions.next('2027-03-04')
        fate = how
        await db.keep({ portion }, STATUS)
        portions.stored()
        return true
      } catch (error) {
        if (error instanceof StateError) return false
        throw error
      } finally {
        fate = 'works'
      }
    },
    /** The thread that stores ends, and another takes its place. */
    loseThread() {
      db = open(++thread)
    },
    unstored: () => portions.exchanges(),
    /** What all replicas found, as this one sees it. */
    async tally(): Promise<Tally> {
      const sum = createTally(criteria)
      let kept: KeptCounts | undefined
      do {
        kept = await db.read(kept)
        if (kept !== undefined) sum.importCounts([kept.counts])
      } while (kept !== undefined)
      return sum
    },
    leave: () => db.close(),
    kill: () => real.close(0),
  }
}

export type TestReplica = ReturnType<typeof replicaOf>

/** Everybody who seems gone is. */
export const AT_ONCE: GoneWatch = { certain: (gone) => gone }

/** Folds the rows of all processes that are gone. */
export async function foldAll(database: Database, watch = AT_ONCE): Promise<number> {
  const lease = await database.transaction((transaction) =>
    takeLease(transaction, { name: 'housekeeping', holder: 'test', seconds: 15 }),
  )
  return lease === undefined ? 0 : foldGone(database, lease, watch)
}
