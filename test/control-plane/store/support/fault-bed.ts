import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { storedResults } from '../../../../src/control-plane/evidence/tally/stored-results.ts'
import { createTally } from '../../../../src/control-plane/evidence/tally/tally.ts'
import { readDatabase } from '../../../../src/control-plane/store/postgres/migrate.ts'
import { openDatabase } from '../../../../src/control-plane/store/postgres/open-database.ts'
import type { PostgresSettings } from '../../../../src/control-plane/store/postgres/postgres-settings.ts'
import { type SideBySide, startSideBySide } from '../../../support/side-by-side.ts'
import { expectationsFrom } from '../../evidence/support/lines.ts'
import { criteriaOf } from '../../evidence/support/observing.ts'
import { type Calling, keepCalling } from './keep-calling.ts'
import { everythingSaid, isUp, readinessOf, replicasOf, settledRequests } from './shown.ts'

/** Something that happens to a database, and its end. */
export interface Fault {
  begin(): unknown
  end(): unknown
}

/** Gateways that share a database, and are called all the time. */
export interface FaultBed {
  readonly gateways: readonly SideBySide[]
  /** Starts the calls. */
  call(): void
  /** Ends the calls. Returns how many there were in all. */
  endCalls(): Promise<number>
  /** Waits until all say that results cannot be stored, in every place. Returns why, as their logs say. */
  degraded(): Promise<readonly string[]>
  /** New results add up at once at each gateway. */
  addUpAlone(): Promise<void>
  /** Waits until all store their results again, and until each shows those of all calls; then the database has them too. */
  whole(): Promise<void>
  /** Calls since this was last asked were answered as if nothing had happened. */
  nobodyWaited(): void
}

/** A call takes some milliseconds; one that waits for a database that is away takes seconds. */
const AT_ONCE_MS = 1_500
const PATIENCE = { timeout: 40_000, interval: 100 }
const KEY = randomBytes(32)
const ROLLOUT = { operations: { '*': { serve: 'legacy', shadow: 1 } } }
const FAILS = 'results cannot be stored; they stay in memory and storing is retried'
const WORKS = 'results are stored again'

/** A gateway before a sandbox of its own. It stores once a second, as it ships: faults meet it in between, too. */
export const startReplica = (postgres: PostgresSettings, replicaId: string): Promise<SideBySide> =>
  startSideBySide(ROLLOUT, { settings: () => ({ postgres, replicaId, tokenKeys: [KEY], tickMs: 1_000 }) })

/** @param direct how the tests reach the database themselves; the gateways may have a way of their own. */
export async function startFaultBed(
  direct: PostgresSettings,
  settings: PostgresSettings = direct,
  ids: readonly string[] = ['one', 'other'],
): Promise<FaultBed> {
  const gateways: SideBySide[] = []
  for (const id of ids) gateways.push(await startReplica(settings, id))
  const callers: readonly Calling[] = gateways.map(keepCalling)
  /** Calls that were made one by one. */
  let more = 0
  const endCalls = async (): Promise<number> => {
    for (const caller of callers) await caller.pause()
    return callers.reduce((sum, { made }) => sum + made, more)
  }
  return {
    gateways,
    call: () => {
      for (const caller of callers) caller.resume()
    },
    endCalls,
    async degraded() {
      const reasons: string[] = []
      for (const gateway of gateways) {
        await expect.poll(async () => (await readinessOf(gateway)).state, PATIENCE).toBe('degraded')
        const { status, stateSince: since } = await readinessOf(gateway)
        expect(status).toBe('ready')
        const { engine, self, replicas } = await replicasOf(gateway)
        expect(engine).toEqual({ kind: 'postgresql', state: 'degraded', since })
        expect(replicas.map(({ id }) => id)).toContain(self)
        expect(await isUp(gateway)).toBe(0)
        expect(await everythingSaid(gateway)).not.toContain('canary')
        reasons.push(String(gateway.gateway.log.findLast(({ msg }) => msg === FAILS)?.reason))
      }
      return reasons
    },
    async addUpAlone() {
      await endCalls()
      for (const gateway of gateways) {
        const before = await settledRequests(gateway)
        for (let made = 0; made < 3; made++, more++) {
          expect((await gateway.call('/api/invoice/list', {})).status).toBe(200)
        }
        await expect.poll(() => settledRequests(gateway)).toBe(before + 3)
        expect((await readinessOf(gateway)).state).toBe('degraded')
      }
      for (const caller of callers) caller.resume()
    },
    async whole() {
      for (const gateway of gateways) {
        await expect.poll(async () => (await readinessOf(gateway)).state, PATIENCE).toBe('ok')
        expect(await isUp(gateway)).toBe(1)
      }
      const made = await endCalls()
      for (const gateway of gateways) await expect.poll(() => settledRequests(gateway), PATIENCE).toBe(made)
      await expect.poll(() => storedIn(direct), PATIENCE).toBe(made)
      for (const gateway of gateways) {
        const lines = gateway.gateway.log.map(({ msg }) => msg).filter((msg) => msg === FAILS || msg === WORKS)
        // Each fault is logged once, and so is its end.
        expect(lines).toEqual(lines.map((_, at) => (at % 2 === 0 ? FAILS : WORKS)))
        expect(JSON.stringify(gateway.gateway.log)).not.toContain('canary')
      }
    },
    nobodyWaited() {
      for (const caller of callers) expect(caller.slowestMs()).toBeLessThan(AT_ONCE_MS)
    },
  }
}

/** How many calls of the operation that the tests call the database has. */
export async function storedIn(settings: PostgresSettings): Promise<number> {
  const database = openDatabase(settings)
  try {
    const { counts } = await readDatabase(database, settings.schema, storedResults())
    const tally = createTally(() => criteriaOf(new Map([['invoice-list', expectationsFrom([])]])))
    tally.importCounts(counts.filter(({ operation }) => operation === 'invoice-list'))
    return tally
      .snapshot()
      .flatMap(({ totals, history }) => [totals, ...history])
      .reduce((sum, { requests }) => sum + requests, 0)
  } finally {
    await database.close(1_000)
  }
}
