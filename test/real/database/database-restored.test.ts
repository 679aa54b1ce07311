import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type FaultBed, startFaultBed, storedIn } from '../../state/support/fault-bed.ts'
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
  beforeEach(async () => {
    await someCalls()
    await bed.whole()
  })

  it('write their own results again into an older backup, without calls and while calls go on', async () => {
    const file = join(server.folder, 'older.dump')
    backup(file)
    const before = await storedIn(settings)
    expect(await someCalls()).toBeGreaterThan(before)
    await bed.whole()
    // Nothing new has to be stored that would be written anyway.
    restore(file)
    await bed.whole()
    bed.call()
    restore(file)
    await wait(500)
    await bed.endCalls()
    await bed.whole()
    bed.nobodyWaited()
  })

  it('write their own results again into a backup in which they are not yet', async () => {
    const file = join(server.folder, 'empty.dump')
    await server.query(`CREATE TABLE ${schema}.kept AS SELECT * FROM ${schema}.tally; DELETE FROM ${schema}.tally`)
    await server.query(`DELETE FROM ${schema}.replica`)
    backup(file)
    await bed.whole()
    restore(file)
    await bed.whole()
    await server.query(`DROP TABLE ${schema}.kept`)
  })

  it('create the schema again when it is dropped, with their own results', async () => {
    bed.call()
    await server.query(`DROP SCHEMA ${schema} CASCADE`)
    await wait(500)
    await bed.endCalls()
    await bed.whole()
    bed.nobodyWaited()
    expect(await server.query(`SELECT nspname FROM pg_namespace WHERE nspname = '${schema}'`)).toHaveLength(1)
  })
})
