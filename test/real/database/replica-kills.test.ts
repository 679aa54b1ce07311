import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { storedIn } from '../../state/support/fault-bed.ts'
import { replicasOf } from '../../state/support/shown.ts'
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
    // On a slow machine some are folded already.
    const processes = '(SELECT id FROM replica UNION ALL SELECT id FROM folded) AS process'.replaceAll(
      'FROM ',
      `FROM ${schema}.`,
    )
    expect(await server.query(`SELECT 1 FROM ${processes} WHERE id = 'victim'`)).toHaveLength(RESTARTS)
    // They have not been seen for longer than this test takes.
    await server.query(`UPDATE ${schema}.replica SET seen_at = now() - interval '1 hour' WHERE id = 'victim'`)
    await expect.poll(() => count("replica WHERE id = 'victim'"), PATIENCE).toBe(0)
    expect(await count("tally WHERE replica = 'victim'")).toBe(0)
    expect(await count("folded WHERE id = 'victim'")).toBe(RESTARTS)
    const [lineages] = await server.query(`SELECT count(DISTINCT (operation, lineage))::int AS of FROM ${schema}.tally`)
    // Of the one that runs, and of all that are gone.
    expect(await count('tally')).toBeLessThanOrEqual(2 * Number(lineages?.of))
    expect(await stored()).toBe(all + 2)
    await allShow(all + 2)
    expect((await replicasOf({ adminUrl: survivor.admin })).replicas.map(({ id }) => id)).toEqual(['survivor'])
  })

  it('lose nothing when they are killed in the middle of a commit, because the database completes it', async () => {
    const before = await stored()
    const victim = await start('committing')
    await victim.call(2)
    await expect.poll(stored, PATIENCE).toBe(before + 2)
    await server.query(`
      CREATE FUNCTION ${schema}.slow() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(2); RETURN NULL; END';
      CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON ${schema}.portion DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW WHEN (NEW.replica = 'committing') EXECUTE FUNCTION ${schema}.slow()`)
    await victim.call(3)
    await victim.counted(before + 5)
    const committing =
      "SELECT 1 FROM pg_stat_activity WHERE application_name = 'legacy-gateway' AND wait_event = 'PgSleep'"
    await expect.poll(async () => (await server.query(committing)).length, { ...PATIENCE, interval: 20 }).toBe(1)
    await kill(victim)
    expect(await stored()).toBeGreaterThan(before + 2)
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
