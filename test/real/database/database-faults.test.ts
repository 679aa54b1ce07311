import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Fault, type FaultBed, startFaultBed } from '../../control-plane/store/support/fault-bed.ts'
import { smallDisk } from '../../control-plane/store/support/small-disk.ts'
import { DATABASE, isInstalled, PASSWORD, type PostgresServer, ROLE, startPostgres } from '../../support/postgres.ts'
import { type Relay, startRelay } from '../../support/relay.ts'
import { newSchema } from '../../support/shared-postgres.ts'

/** Which of them comes first depends on what was under way. */
const HANGS = /it does not answer|has not answered for 5 s/
const disk = isInstalled ? smallDisk() : undefined

describe.skipIf(!isInstalled)('gateways whose database fails (with postgresql)', { timeout: 120_000 }, () => {
  const schema = newSchema()
  let server: PostgresServer
  let relay: Relay
  let bed: FaultBed

  beforeAll(async () => {
    server = await startPostgres({ settings: { max_connections: '12' } })
    relay = await startRelay(server.port)
    const direct = { ...server.settings, schema }
    bed = await startFaultBed(direct, { ...direct, hosts: [{ host: '127.0.0.1', port: relay.port }] })
  }, 60_000)
  afterAll(() => server?.stop())

  /** Whatever happens to the database: what callers and operators see, and that nothing is lost or counted twice. */
  const endures = async ({ begin, end }: Fault): Promise<readonly string[]> => {
    bed.call()
    let reasons: readonly string[]
    try {
      await begin()
      reasons = await bed.degraded()
      await bed.addUpAlone()
      // No call after it is needed to store what was found meanwhile.
      await bed.endCalls()
    } finally {
      await end()
    }
    await bed.whole()
    bed.nobodyWaited()
    return reasons
  }

  it('store and show each result once while nothing fails', async () => {
    bed.call()
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    expect(await bed.endCalls()).toBeGreaterThan(5)
    await bed.whole()
    bed.nobodyWaited()
  })

  it('answer and count on while it is killed', async () => {
    const reasons = await endures({ begin: server.kill9, end: server.restart })
    for (const reason of reasons) expect(reason).toMatch(/ cannot be used: the connection (is refused|was c)/)
  })

  it('answer and count on while it is stopped (SIGSTOP)', async () => {
    const reasons = await endures({ begin: server.pause, end: server.resume })
    for (const reason of reasons) expect(reason).toMatch(HANGS)
  })

  it('answer and count on while all packets are lost', async () => {
    const reasons = await endures({ begin: relay.stall, end: relay.resume })
    for (const reason of reasons) expect(reason).toMatch(HANGS)
  })

  it('answer and count on while it is read-only', async () => {
    const make = async (isReadOnly: 'on' | 'off'): Promise<void> => {
      await server.query(`ALTER SYSTEM SET default_transaction_read_only = ${isReadOnly}`)
      await server.query('SELECT pg_reload_conf()')
    }
    const reasons = await endures({ begin: () => make('on'), end: () => make('off') })
    for (const reason of reasons) expect(reason).toContain('it is read-only (SQLSTATE 25006)')
  })

  it('answer and count on while others have all its connections', async () => {
    const others: Client[] = []
    const isTaken = async (): Promise<boolean> => {
      const login = { host: '127.0.0.1', port: server.port, user: ROLE, password: PASSWORD, database: DATABASE }
      const other = new Client({ ...login, application_name: 'others' })
      other.on('error', () => undefined)
      try {
        await other.connect()
        others.push(other)
        return true
      } catch (error) {
        expect(error).toMatchObject({ code: '53300' })
        return false
      }
    }
    const reasons = await endures({
      async begin() {
        // A session that is just beginning does not say whose it is: it takes a moment until nobody is left.
        for (let quiet = 0; quiet < 5; ) {
          await wait(100)
          while (await isTaken());
          const [row] = await server.query(
            "SELECT count(pg_terminate_backend(pid))::int AS left FROM pg_stat_activity WHERE application_name = 'legacy-gateway'",
          )
          quiet = Number(row?.left) === 0 ? quiet + 1 : 0
        }
      },
      end: () => Promise.all(others.map((other) => other.end())),
    })
    for (const reason of reasons)
      expect(reason).toMatch(/too many connections \(SQLSTATE 53300\)|being shut down|was c/)
  })

  it.skipIf(disk === undefined)(
    'answer and count on while its disk is full, and a backup keeps old rows (needs to mount a tmpfs)',
    async () => {
      await server.query(`CREATE TABLESPACE small LOCATION '${disk}'`)
      await server.query(`ALTER TABLE ${schema}.ledger SET TABLESPACE small`)
      const ballast = join(disk as string, 'ballast')
      const backup = new Client({ host: server.folder, port: server.port, user: 'postgres', database: DATABASE })
      await backup.connect()
      const reasons = await endures({
        async begin() {
          await backup.query('BEGIN ISOLATION LEVEL REPEATABLE READ')
          await backup.query('SELECT 1')
          spawnSync('dd', ['if=/dev/zero', `of=${ballast}`, 'bs=1k', 'count=8000'])
        },
        async end() {
          spawnSync('rm', [ballast])
          await backup.end()
        },
      })
      for (const reason of reasons) expect(reason).toContain('its disk is full (SQLSTATE 53100')
    },
  )

  it('lose nothing and count nothing twice when it is killed in the middle of commits', async () => {
    // The triggers of a commit run before it is written to the disk.
    await server.query(`
      CREATE FUNCTION ${schema}.slow() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(1); RETURN NULL; END';
      CREATE CONSTRAINT TRIGGER slow AFTER INSERT OR UPDATE ON ${schema}.ledger
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ${schema}.slow()`)
    bed.call()
    for (let time = 0; time < 3; time++) {
      await committing(server, schema, "wait_event = 'PgSleep'")
      await server.kill9()
      await server.restart()
    }
    await server.query(`DROP TRIGGER slow ON ${schema}.ledger`)
    await bed.whole()
    bed.nobodyWaited()
  })

  const stored = async (): Promise<number> =>
    Number(
      (await server.query(`SELECT sum(stored)::int AS sum FROM ${schema}.ledger_writer WHERE kind = 'evidence'`))[0]
        ?.sum,
    )

  it('lose nothing and count nothing twice when it is killed after commits that it has not confirmed', {
    timeout: 240_000,
  }, async () => {
    // A commit that lasts a second, so that it can be under way when nobody hears of it any more.
    await server.query(`
      CREATE CONSTRAINT TRIGGER slow AFTER INSERT OR UPDATE ON ${schema}.ledger_writer
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ${schema}.slow()`)
    for (let time = 0; time < 2; time++) {
      bed.call()
      await committing(server, schema, "wait_event = 'PgSleep'")
      const before = await stored()
      relay.mute()
      await expect.poll(stored, { timeout: 20_000 }).toBeGreaterThan(before)
      await server.query('CHECKPOINT')
      await server.kill9()
      relay.resume()
      await server.restart()
      await bed.whole()
      bed.nobodyWaited()
    }
    await server.query(`DROP TRIGGER slow ON ${schema}.ledger_writer`)
  })
})

/** Waits until a gateway is in the middle of a commit of results. */
async function committing(server: PostgresServer, schema: string, where: string): Promise<void> {
  const find = `SELECT 1 FROM pg_stat_activity JOIN pg_locks USING (pid)
    WHERE application_name = 'legacy-gateway' AND relation = '${schema}.ledger'::regclass AND mode = 'RowExclusiveLock' AND ${where}`
  await expect.poll(async () => (await server.query(find)).length, { timeout: 40_000, interval: 20 }).toBeGreaterThan(0)
}
