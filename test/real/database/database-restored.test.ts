import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FaultBed, startFaultBed, storedIn } from '../../control-plane/store/support/fault-bed.ts'
import { settledRequests } from '../../control-plane/store/support/shown.ts'
import { DATABASE, isInstalled, type PostgresServer, startPostgres } from '../../support/postgres.ts'
import { programOf, runsAs } from '../../support/postgres-files.ts'
import { newSchema } from '../../support/shared-postgres.ts'

describe.skipIf(!isInstalled)('gateways whose database is restored (with postgresql)', { timeout: 120_000 }, () => {
  const schema = newSchema()
  let server: PostgresServer
  let bed: FaultBed
  let settings: PostgresServer['settings']

  const run = (program: string, ...args: readonly string[]): void => {
    const line = ['-h', server.folder, '-p', `${server.port}`, '-U', 'postgres', ...args]
    execFileSync(programOf(program), line, { ...runsAs, cwd: server.folder, stdio: 'pipe' })
  }
  const backup = (file: string): void =>
    run('pg_dump', '--format=custom', `--schema=${schema}`, `--file=${file}`, DATABASE)
  /** As docs/fleet.md says. */
  const restore = (file: string): void =>
    run('pg_restore', '--clean', '--if-exists', '--single-transaction', `--dbname=${DATABASE}`, file)
  const someCalls = async (): Promise<number> => {
    bed.call()
    await wait(1_500)
    return bed.endCalls()
  }

  beforeAll(async () => {
    server = await startPostgres()
    settings = { ...server.settings, schema }
    bed = await startFaultBed(settings)
  }, 60_000)
  afterAll(() => server?.stop())

  /** Waits until the database and all gateways show so many calls. */
  const shows = async (calls: number): Promise<void> => {
    await expect.poll(() => storedIn(settings), { timeout: 20_000 }).toBe(calls)
    for (const gateway of bed.gateways) await expect.poll(() => settledRequests(gateway)).toBe(calls)
  }
  const warned = (): number =>
    bed.gateways.filter(({ gateway }) =>
      gateway.log.some(({ msg }) => /^the state was replaced or restored/.test(`${msg}`)),
    ).length

  it('go on from an older backup, and say that what was stored since then is lost', async () => {
    await someCalls()
    await bed.whole()
    const file = join(server.folder, 'older.dump')
    backup(file)
    const inBackup = await storedIn(settings)
    const before = await someCalls()
    await bed.whole()
    restore(file)
    await shows(inBackup)
    expect(warned()).toBe(2)
    await shows(inBackup + (await someCalls()) - before)
    bed.nobodyWaited()
  })

  it('create the schema again when it is dropped, and begin anew', async () => {
    const before = await bed.endCalls()
    await server.query(`DROP SCHEMA ${schema} CASCADE`)
    await shows((await someCalls()) - before)
    bed.nobodyWaited()
    expect(await server.query(`SELECT nspname FROM pg_namespace WHERE nspname = '${schema}'`)).toHaveLength(1)
  })
})
