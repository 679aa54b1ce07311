import { randomBytes } from 'node:crypto'
import { IMPORTS } from '../../../../src/app/stores.ts'
import type { Expectations } from '../../../../src/control-plane/evidence/expected/expectations.ts'
import type { Observation } from '../../../../src/control-plane/evidence/observation.ts'
import { evidenceDb } from '../../../../src/control-plane/evidence/tally/evidence-db.ts'
import { countPortions } from '../../../../src/control-plane/evidence/tally/portions.ts'
import { createTally, type Tally } from '../../../../src/control-plane/evidence/tally/tally.ts'
import type { Database } from '../../../../src/control-plane/store/postgres/database.ts'
import { openDatabase } from '../../../../src/control-plane/store/postgres/open-database.ts'
import { postgresEngine } from '../../../../src/control-plane/store/postgres/postgres-engine.ts'
import type { PostgresSettings } from '../../../../src/control-plane/store/postgres/postgres-settings.ts'
import { StateError } from '../../../../src/control-plane/store/state-error.ts'
import { criteriaOf } from '../../evidence/support/observing.ts'

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
  const process = `replica ${randomBytes(6).toString('hex')}`
  const open = () => {
    const engine = postgresEngine({ database, schema: settings.schema, holder: process, imports: IMPORTS })
    return evidenceDb(engine, process)
  }
  const db = open()
  const criteria = () => criteriaOf(expectations)
  const portions = countPortions(criteria, (portion) => db.add(portion))
  return {
    process,
    database,
    record: (observation: Observation) => portions.record(observation),
    /** Stores what is not stored yet; false: it failed. */
    async flush(how: Fate = 'works'): Promise<boolean> {
      try {
        await db.open()
        fate = how
        await portions.send()
        return true
      } catch (error) {
        if (error instanceof StateError) return false
        throw error
      } finally {
        fate = 'works'
      }
    },
    unstored: () => portions.exchanges(),
    /** What all replicas found, as a new one sees it. */
    async tally(): Promise<Tally> {
      const sum = createTally(criteria)
      const { documents } = await open().changes()
      for (const { doc } of documents) if (doc !== undefined) sum.importCounts([doc])
      return sum
    },
    leave: () => real.close(0),
    kill: () => real.close(0),
  }
}

export type TestReplica = ReturnType<typeof replicaOf>
