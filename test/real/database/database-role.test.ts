import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type ComparingProcess,
  requestsOf,
  startComparingProcess,
  stateFolder,
} from '../../support/comparing-process.ts'
import { callLegacy } from '../../support/legacy-client.ts'
import { DATABASE, isInstalled, type PostgresServer, startPostgres } from '../../support/postgres.ts'
import { programOf } from '../../support/postgres-files.ts'
import { runCommand } from '../../support/run-command.ts'

const PASSWORD = 'canary-of-the-role'
const SCHEMA = 'legacy_gateway'

describe.skipIf(!isInstalled)(
  'gateways with the role of deploy/postgres/create-role.sql (with postgresql)',
  { timeout: 120_000 },
  () => {
    let server: PostgresServer
    let gateways: readonly ComparingProcess[] = []
    let url: string

    beforeAll(async () => {
      server = await startPostgres()
      const file = join(stateFolder(), 'password.txt')
      writeFileSync(file, `${PASSWORD}\n`)
      const line = ['-X', '-h', server.folder, '-p', `${server.port}`, '-U', 'postgres', '-d', DATABASE]
      execFileSync(programOf('psql'), [...line, '-f', 'deploy/postgres/create-role.sql'], {
        env: { PATH: process.env.PATH, STATE_PASSWORD_FILE: file },
        stdio: 'pipe',
      })
      url = `postgres://legacy_gateway:${PASSWORD}@127.0.0.1:${server.port}/${DATABASE}`
    })
    beforeEach(async () => {
      await server.restart()
      await server.query(`DROP SCHEMA ${SCHEMA} CASCADE; CREATE SCHEMA ${SCHEMA} AUTHORIZATION legacy_gateway`)
      gateways = await Promise.all(['one', 'other'].map((id) => startComparingProcess(url, { REPLICA_ID: id })))
    })
    afterEach(() => Promise.all(gateways.map(({ service }) => service.child.kill('SIGKILL'))))
    afterAll(() => server?.stop())

    it('make the tables, share results and reset them, with rights to their schema alone', async () => {
      const [one, other] = gateways as [ComparingProcess, ComparingProcess]
      await one.call(3)
      await other.call(4)
      for (const gateway of gateways) await gateway.counted(7)
      expect(await other.stop()).toBe(0)
      expect(requestsOf(await one.counted(7))).toBe(7)
      const elsewhere = "schemaname NOT IN ('pg_catalog', 'information_schema')"
      expect(await server.query(`SELECT DISTINCT schemaname, tableowner FROM pg_tables WHERE ${elsewhere}`)).toEqual([
        { schemaname: SCHEMA, tableowner: 'legacy_gateway' },
      ])
      const { status } = await callLegacy(one.admin, {
        path: '/evidence/reset',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ operation: 'invoice-list', by: 'test', why: 'the service was replaced' }),
      })
      expect(status).toBe(200)
      expect(await server.query(`SELECT operation FROM ${SCHEMA}.audit`)).toEqual([{ operation: 'invoice-list' }])
      expect(JSON.stringify(one.log())).not.toContain('42501')
    })

    it('never say the password, nor does a dossier, also when the database is down', async () => {
      const [one] = gateways as [ComparingProcess]
      await one.call(3)
      await one.counted(3)
      const page = join(stateFolder(), 'dossier.html')
      const env = { STATE_DB: url, DOSSIER_KEY: '' }
      const { exit, errors, output } = await runCommand(['dossier', '--out', page], env)
      expect(exit, errors).toBe(0)
      await server.kill9()
      await one.said(/results cannot be stored/)
      const failed = await runCommand(['dossier', '--out', page], env)
      expect(failed.exit).toBe(2)
      expect(failed.errors).toContain(
        `postgres://127.0.0.1:${server.port}/${DATABASE} cannot be used: the connection is refused`,
      )
      expect(await one.stop()).toBe(0)
      expect(one.complaints()).toContain('results cannot be stored; they stay in memory and storing is retried')
      const files = [page, page.replace('.html', '.json')].map((file) => readFileSync(file, 'utf8'))
      const said = [output, errors, failed.output, failed.errors, ...files, one.service.output(), one.service.errors()]
      expect(files.join()).toContain('invoice-list')
      expect(said.join('\n')).not.toContain('canary')
    })
  },
)
