import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startReplica } from '../../control-plane/store/support/fault-bed.ts'
import { everythingSaid, readinessOf, replicasOf, settledRequests } from '../../control-plane/store/support/shown.ts'
import { isInstalled, type PostgresServer, startPostgres, urlOf } from '../../support/postgres.ts'
import { makeOwnFolder } from '../../support/postgres-files.ts'
import { startRelay } from '../../support/relay.ts'
import { runCommand } from '../../support/run-command.ts'
import { newSchema } from '../../support/shared-postgres.ts'

const KEY = Buffer.alloc(32, 7).toString('base64')
const PORTS = { HOST: '127.0.0.1', PORT: '0', ADMIN_PORT: '0', SANDBOX_V1_PORT: '0', SANDBOX_LEGACY_PORT: '0' }

/** Starts a gateway that must not start. Returns what it says. */
async function refused(stateDb: string, env: Readonly<Record<string, string>> = {}): Promise<readonly string[]> {
  const set = { ...PORTS, TOKEN_KEY: KEY, STATE_DB: stateDb, LOG_LEVEL: 'fatal', ...env }
  const { exit, errors, output } = await runCommand(['serve'], set)
  expect(exit).toBe(1)
  expect(output + errors).not.toContain('canary')
  expect(errors).not.toMatch(/^\s+at /m)
  return errors.trimEnd().split('\n')
}

describe.skipIf(!isInstalled)('a gateway that starts (with postgresql)', { timeout: 120_000 }, () => {
  let server: PostgresServer

  beforeAll(async () => {
    server = await startPostgres()
  }, 60_000)
  afterAll(() => server?.stop())

  it('while its database is down serves, says that it is degraded, and joins with what it found', async () => {
    const settings = { ...server.settings, schema: newSchema() }
    const first = await startReplica(settings, 'first')
    for (let made = 0; made < 3; made++) await first.call('/api/invoice/list', {})
    await expect.poll(() => settledRequests(first)).toBe(3)
    await first.gateway.close()
    await server.kill9()
    const gateway = await startReplica(settings, 'second')
    for (let made = 0; made < 4; made++) expect((await gateway.call('/api/invoice/list', {})).status).toBe(200)
    await expect.poll(() => settledRequests(gateway)).toBe(4)
    expect(await readinessOf(gateway)).toMatchObject({ status: 'ready', state: 'degraded' })
    expect(await replicasOf(gateway)).toMatchObject({ self: 'second', replicas: [{ id: 'second' }] })
    expect(await everythingSaid(gateway)).not.toContain('canary')
    await server.restart()
    await expect.poll(() => settledRequests(gateway)).toBe(7)
    await expect.poll(async () => (await readinessOf(gateway)).state).toBe('ok')
    await expect.poll(async () => (await replicasOf(gateway)).replicas.map(({ id }) => id)).toEqual(['second'])
    expect(JSON.stringify(gateway.gateway.log)).not.toContain('canary')
  })

  it('while nobody answers serves without waiting for that', async () => {
    const relay = await startRelay(server.port)
    relay.stall()
    const hosts = [{ host: '127.0.0.1', port: relay.port }]
    const connectTimeoutMs = 20_000
    const from = performance.now()
    const gateway = await startReplica({ ...server.settings, schema: newSchema(), hosts, connectTimeoutMs }, 'alone')
    // A start that waits for the connection takes longer than its time-out.
    expect(performance.now() - from).toBeLessThan(connectTimeoutMs / 2)
    expect((await gateway.call('/api/invoice/list', {})).status).toBe(200)
    expect(await readinessOf(gateway)).toMatchObject({ status: 'ready', state: 'degraded' })
    const said = gateway.gateway.log.find(({ msg }) => String(msg).startsWith('results cannot be stored'))
    expect(said?.reason).toBe(`postgres://127.0.0.1:${relay.port}/gateway_test has not answered for 5 s`)
    relay.resume()
    // The connection that is stalled is given up first.
    await expect.poll(async () => (await readinessOf(gateway)).state, { timeout: 40_000 }).toBe('ok')
    await expect.poll(() => settledRequests(gateway)).toBe(1)
  })

  it('with a role that may not create its schema is degraded and says which right is missing, until it is granted', async () => {
    const settings = { ...server.settings, schema: newSchema() }
    await server.query('REVOKE CREATE ON DATABASE gateway_test FROM gateway')
    try {
      const gateway = await startReplica(settings, 'alone')
      expect((await gateway.call('/api/invoice/list', {})).status).toBe(200)
      await expect.poll(() => settledRequests(gateway)).toBe(1)
      const said = gateway.gateway.log.find(({ msg }) => String(msg).startsWith('results cannot be stored'))
      expect(said?.reason).toMatch(/the role lacks a right: it needs CONNECT and CREATE on the database/)
      expect(await readinessOf(gateway)).toMatchObject({ status: 'ready', state: 'degraded' })
      expect(await everythingSaid(gateway)).not.toContain('canary')
      await server.query('GRANT CREATE ON DATABASE gateway_test TO gateway')
      await expect.poll(async () => (await readinessOf(gateway)).state).toBe('ok')
      expect(await settledRequests(gateway)).toBe(1)
    } finally {
      await server.query('GRANT CREATE ON DATABASE gateway_test TO gateway')
    }
  })

  it('with a schema that is newer than it knows ends, and says both versions', async () => {
    const schema = newSchema()
    const gateway = await startReplica({ ...server.settings, schema }, 'alone')
    await gateway.gateway.close()
    await server.query(`UPDATE ${schema}.version SET steps = 900`)
    const name = `postgres://127.0.0.1:${server.port}/gateway_test`
    const [said = '', ...more] = await refused(server.url, { STATE_SCHEMA: schema })
    expect(more).toEqual([])
    expect(said).toMatch(
      new RegExp(`^STATE_DB: ${name}: schema ${schema} has version 900; this gateway reads up to version \\d+$`),
    )
  })
})

it('a URL or TLS setting that cannot be right ends the start with all problems in words', async () => {
  const missing = join(makeOwnFolder(), 'none.pem')
  const said = await refused(`${urlOf(1)}?sslmode=nonsense&nope=1`, { PGSSLROOTCERT: missing, PGSSLCERT: missing })
  expect(said.join('\n')).toMatch(/sslmode must be one of disable, allow, prefer, require, verify-ca, verify-full/)
  expect(said.join('\n')).toContain('PGSSLROOTCERT: the file cannot be read (ENOENT)')
  expect(said.join('\n')).toContain('PGSSLCERT needs a key: set sslkey or PGSSLKEY')
  expect(said.join('\n')).toContain('STATE_DB: parameter nope is unknown')
  for (const url of [
    'postgres://gateway:canary@:x/db',
    'postgres://gateway:canary%@db/db',
    'postgres://:canary@db/db',
  ]) {
    expect((await refused(url)).join()).toMatch(/STATE_DB/)
  }
})
