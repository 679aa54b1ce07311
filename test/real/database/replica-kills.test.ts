import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { storedIn } from '../../control-plane/store/support/fault-bed.ts'
import { replicasOf } from '../../control-plane/store/support/shown.ts'
import { type ComparingProcess, startComparingProcess } from '../../support/comparing-process.ts'
import { isInstalled, type PostgresServer, startPostgres } from '../../support/postgres.ts'
import { newSchema } from '../../support/shared-postgres.ts'

/** Calls whose results are stored before the gateway is killed, and calls of which nobody knows. */
const [STORED, LATE] = [4, 3]
const RESTARTS = 2
/** Processes are looked for every ten seconds. */
const PATIENCE = { timeout: 60_000, interval: 200 }

describe.skipIf(!isInstalled)('gateways that end (with postgresql)', { timeout: 180_000 }, () => {
  const schema = newSchema()
  let server: PostgresServer
  let survivor: ComparingProcess

  const start = (id: string): Promise<ComparingProcess> =>
    startComparingProcess(server.url, { STATE_SCHEMA: schema, REPLICA_ID: id })
  const stored = (): Promise<number> => storedIn({ ...server.settings, schema })
  const kill = async ({ service }: ComparingProcess): Promise<void> => {
    const gone = once(service.child, 'exit')
    service.child.kill('SIGKILL')
    await gone
    // The database may be in the middle of their last transaction.
    await expect
      .poll(() => server.query(`SELECT 1 FROM pg_locks WHERE relation = '${schema}.replica'::regclass`), PATIENCE)
      .toEqual([])
  }
  const count = async (from: string): Promise<number> =>
    Number((await server.query(`SELECT count(*)::int AS count FROM ${schema}.${from}`))[0]?.count)
  const allShow = (requests: number) =>
    expect
      .poll(async () => (await survivor.counted(0)).operations.map(({ totals }) => totals.requests), PATIENCE)
      .toContain(requests)

  beforeAll(async () => {
    server = await startPostgres()
    survivor = await start('survivor')
  }, 90_000)
  afterAll(async () => {
    await survivor?.stop()
    await server?.stop()
  })

  it('lose at most what was not stored yet when they are killed, nothing of others, and leave no rows behind', async () => {
    await survivor.call(5)
    let all = 5
    for (let time = 0; time < RESTARTS; time++) {
      const victim = await start('victim')
      await victim.call(STORED)
      await expect.poll(stored, PATIENCE).toBe(all + STORED)
      await victim.call(LATE)
      await kill(victim)
      const now = await stored()
      expect(now).toBeGreaterThanOrEqual(all + STORED)
      expect(now).toBeLessThanOrEqual(all + STORED + LATE)
      all = now
      await allShow(all)
    }
    await survivor.call(2)
    await allShow(all + 2)
    // What is left of them are their numbers.
    const [lineages] = await server.query(
      `SELECT count(DISTINCT key)::int AS of FROM ${schema}.ledger WHERE kind = 'evidence'`,
    )
    expect(await count("ledger WHERE kind = 'evidence'")).toBe(Number(lineages?.of))
    expect(await count("ledger_writer WHERE kind = 'evidence' AND process LIKE 'victim %'")).toBe(RESTARTS)
    await expect.poll(stored, PATIENCE).toBe(all + 2)
    await allShow(all + 2)
    const alive = async () => (await replicasOf({ adminUrl: survivor.admin })).replicas.map(({ id }) => id)
    await expect.poll(alive, PATIENCE).toEqual(['survivor'])
  })

  it('lose nothing when they are killed in the middle of a commit, because the database completes it', async () => {
    const before = await stored()
    const victim = await start('committing')
    await victim.call(2)
    await expect.poll(stored, PATIENCE).toBe(before + 2)
    await server.query(`
      DROP TRIGGER IF EXISTS slow ON ${schema}.ledger_writer;
      CREATE OR REPLACE FUNCTION ${schema}.slow() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(2); RETURN NULL; END';
      CREATE CONSTRAINT TRIGGER slow AFTER INSERT OR UPDATE ON ${schema}.ledger_writer DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW WHEN (NEW.kind = 'evidence' AND NEW.process LIKE 'committing %') EXECUTE FUNCTION ${schema}.slow()`)
    await victim.call(3)
    await victim.counted(before + 5)
    const committing =
      "SELECT 1 FROM pg_stat_activity WHERE application_name = 'legacy-gateway' AND wait_event = 'PgSleep'"
    await expect.poll(async () => (await server.query(committing)).length, { ...PATIENCE, interval: 20 }).toBe(1)
    await kill(victim)
    await expect.poll(stored, PATIENCE).toBeGreaterThan(before + 2)
    expect(await stored()).toBeLessThanOrEqual(before + 5)
    await allShow(await stored())
  })

  it('have stored everything when they are asked to stop', async () => {
    const before = await stored()
    const last = await start('last')
    await last.call(4)
    await last.counted(before + 4)
    expect(await last.stop()).toBe(0)
    expect(await stored()).toBe(before + 4)
    for (const text of [last.service.output(), last.service.errors(), survivor.service.output()]) {
      expect(text).not.toContain('canary')
    }
  })
})
