import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../../../src/control-plane/store/postgres/open-database.ts'
import type { PostgresError } from '../../../src/control-plane/store/postgres/postgres-error.ts'
import type { PostgresSettings, PostgresTls } from '../../../src/control-plane/store/postgres/postgres-settings.ts'
import { closeAtEnd } from '../../support/clean-up.ts'
import { isInstalled, PASSWORD, type PostgresServer, ROLE, settingsOf, startPostgres } from '../../support/postgres.ts'
import { startRelay } from '../../support/relay.ts'
import { type Certificates, makeCertificates } from '../certificates.ts'
import { isInstalled as hasProgram } from '../start-program.ts'

const at = (port: number, host = '127.0.0.1') => ({ host, port })

/** Runs a statement over a new connection. Returns its rows, or the message of the error. */
async function ask(settings: PostgresSettings, text = 'SELECT 1 AS n'): Promise<unknown> {
  const database = openDatabase(settings)
  const told = (error: PostgresError): string => {
    expect(`${error.stack} ${JSON.stringify(error)}`).not.toMatch(/canary|nobody-knows/)
    expect(error.isBusy).toBe(true)
    return error.message
  }
  const answer = await database.transaction(({ query }) => query(text)).catch(told)
  await database.close(1_000)
  return answer
}

describe.skipIf(!isInstalled)('the servers of a PostgreSQL database (with postgresql)', () => {
  let server: PostgresServer
  let readOnly: PostgresServer

  beforeAll(async () => {
    const fsync = false
    ;[server, readOnly] = await Promise.all([
      startPostgres({ fsync }),
      startPostgres({ fsync, settings: { default_transaction_read_only: 'on' } }),
    ])
  })

  const port = (of: PostgresServer | undefined): number => of?.port ?? 0
  const hosts = (...all: PostgresSettings['hosts']): PostgresSettings => ({ ...settingsOf(0), hosts: all })
  const PORT = 'SHOW port'

  it('are tried in their order, until one answers', async () => {
    const nobody = await startRelay()
    const settings = { ...hosts(at(1), at(nobody.port), at(port(server))), connectTimeoutMs: 300 }
    expect(await ask(settings, PORT)).toEqual([{ port: `${server.port}` }])
  })

  it('are passed over when they are read-only and another is not', async () => {
    expect(await ask(hosts(at(port(readOnly)), at(port(server))), PORT)).toEqual([{ port: `${server.port}` }])
    expect(await ask(hosts(at(port(readOnly)), at(1)), PORT)).toEqual([{ port: `${readOnly.port}` }])
  })

  it('are tried again when the one that was used becomes read-only', async () => {
    const first = await startPostgres({ fsync: false })
    const database = openDatabase(hosts(at(first.port), at(port(server))))
    closeAtEnd(() => database.close(0))
    const used = () => database.transaction(({ query }) => query(PORT))
    expect(await used()).toEqual([{ port: `${first.port}` }])
    await first.query('ALTER SYSTEM SET default_transaction_read_only = on')
    await first.query('SELECT pg_reload_conf()')
    await expect.poll(() => first.query('SHOW default_transaction_read_only')).toMatchObject([{}])
    const write = () => database.transaction(({ query }) => query(`CREATE SCHEMA s${first.port}`))
    // Until the setting has reached the session, it writes.
    await expect.poll(() => write().catch((error: PostgresError) => error.sqlState)).toBe('25006')
    expect(await used()).toEqual([{ port: `${server.port}` }])
  })

  it('are all named when none can be used', async () => {
    const settings = hosts(at(1), at(2, 'no-such-host.invalid'))
    expect(await ask(settings)).toMatch(
      /^postgres:\/\/127\.0\.0\.1:1,no-such-host\.invalid:2\/gateway_test cannot be used: 127\.0\.0\.1:1: the connection is refused; no-such-host\.invalid:2: (there is no such host|the name servers do not answer)$/,
    )
  })

  it.each<[string, Partial<PostgresSettings>, string]>([
    ['a wrong password', { password: 'nobody-knows' }, 'it refuses the password (SQLSTATE 28P01)'],
    ['no password', { password: undefined }, 'it asks for a password, and none is set'],
    ['an unknown role', { user: 'nobody-knows' }, 'it refuses the password (SQLSTATE 28P01)'],
    ['an unknown database', { database: 'nowhere' }, 'it does not exist (SQLSTATE 3D000)'],
  ])('say in words, and without secrets, what is wrong: %s', async (_what, wrong, reason) => {
    const { database = 'gateway_test' } = wrong
    const message = await ask({ ...settingsOf(port(server)), ...wrong })
    expect(message).toBe(`postgres://127.0.0.1:${server.port}/${database} cannot be used: ${reason}`)
  })

  it.each([
    ['SELECT canary FROM pg_class', 'SQLSTATE 42703', false],
    ["SELECT 'canary'::int", 'SQLSTATE 22P02', false],
    ['SELECT canary canary canary', 'SQLSTATE 42601', false],
    ['CREATE TABLE public.canary (id int)', 'the role lacks a right', true],
    ["DO $$ BEGIN RAISE 'canary' USING ERRCODE = '53100'; END $$", 'its disk is full', true],
    ["DO $$ BEGIN RAISE 'canary'; END $$", 'SQLSTATE P0001', true],
  ])('quote neither statement nor values: %s', async (text, reason, isBusy) => {
    const database = openDatabase(settingsOf(port(server)))
    closeAtEnd(() => database.close(0))
    const error: PostgresError = await database
      .transaction(({ query }) => query(text))
      .then(
        () => expect.fail('it did not fail'),
        (thrown) => thrown,
      )
    expect([error.message, error.isBusy]).toEqual([expect.stringContaining(reason), isBusy])
    expect(`${error.stack} ${JSON.stringify(error)} ${error.cause}`).not.toContain('canary')
  })

  it('name the table and the constraint that a value breaks', async () => {
    const { port: own, query } = await startPostgres({ fsync: false })
    await query(`CREATE TABLE things (id int CONSTRAINT positive CHECK (id > 0)); GRANT ALL ON things TO ${ROLE}`)
    const database = openDatabase(settingsOf(own))
    closeAtEnd(() => database.close(0))
    const work = database.transaction((transaction) => transaction.query('INSERT INTO public.things VALUES (-1)'))
    await expect(work).rejects.toThrow(/cannot be used: SQLSTATE 23514, table things, constraint positive$/)
  })

  it('may have too many connections, and be tried again', async () => {
    const { settings } = await startPostgres({
      ...{ fsync: false, settings: { max_connections: '5', superuser_reserved_connections: '3' } },
    })
    const [one, other] = [openDatabase(settings), openDatabase(settings)]
    closeAtEnd(() => Promise.all([one.close(0), other.close(0)]))
    for (const { transaction } of [one, other]) await transaction(({ query }) => query('SELECT 1'))
    expect(await ask(settings)).toContain('it has too many connections (SQLSTATE 53300)')
    await one.close(1_000)
    await expect.poll(() => ask(settings)).toEqual([{ n: 1 }])
  })

  describe.skipIf(!hasProgram('openssl'))('with TLS (with openssl)', () => {
    let secure: PostgresServer
    let certificates: Certificates
    let others: Certificates
    const USES_TLS = 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()'

    beforeAll(async () => {
      certificates = makeCertificates()
      others = makeCertificates('other')
      secure = await startPostgres({ fsync: false, tls: certificates.server, tlsOnly: true })
    })

    const tls = (mode: PostgresTls['mode'], ca?: string): PostgresTls => ({
      ...{ mode, ca: ca === undefined ? undefined : readFileSync(ca, 'utf8'), cert: undefined, key: undefined },
    })
    const askSecure = (with_: PostgresTls | undefined, host = '127.0.0.1', of = secure): Promise<unknown> =>
      ask({ ...settingsOf(of.port, host), tls: with_ }, USES_TLS)

    it.each(['prefer', 'require', 'verify-ca', 'verify-full'] as const)('is used with sslmode=%s', async (mode) => {
      expect(await askSecure(tls(mode, mode.startsWith('verify') ? certificates.ca : undefined))).toEqual([
        { ssl: true },
      ])
    })

    it.each(['require', 'verify-ca', 'verify-full'] as const)(
      'is refused with sslmode=%s when another authority issued the certificate',
      async (mode) => {
        expect(await askSecure(tls(mode, others.ca))).toMatch(/cannot be used: TLS failed: [A-Z_]+$/)
      },
    )

    it('is refused with sslmode=verify-full when no authority is known, or the name is another', async () => {
      expect(await askSecure(tls('verify-full'))).toMatch(/cannot be used: TLS failed: [A-Z_]+$/)
      // Loopback too, but not in the certificate.
      const elsewhere = await startPostgres({
        ...{ fsync: false, tls: certificates.server, settings: { listen_addresses: '127.0.0.1,127.0.0.2' } },
      })
      const other = (mode: PostgresTls['mode']) => askSecure(tls(mode, certificates.ca), '127.0.0.2', elsewhere)
      expect(await other('verify-full')).toContain('TLS failed: ERR_TLS_CERT_ALTNAME_INVALID')
      expect(await other('verify-ca')).not.toContain('TLS failed')
      expect(await askSecure(tls('verify-full', certificates.ca), 'localhost')).toEqual([{ ssl: true }])
    })

    it('shows the client certificate to a server that demands one', async () => {
      const { ca, client, server: pair } = certificates
      const strict = await startPostgres({ fsync: false, tls: pair, tlsOnly: true, clientCa: ca })
      const [cert, key] = [readFileSync(client.certificate, 'utf8'), readFileSync(client.key, 'utf8')]
      const shown = { ...tls('verify-full', ca), cert, key }
      expect(await askSecure(shown, '127.0.0.1', strict)).toEqual([{ ssl: true }])
      expect(await askSecure(tls('verify-full', ca), '127.0.0.1', strict)).toContain('it refuses the login')
    })

    it('is needed where the server wants it', async () => {
      expect(await askSecure(undefined)).toContain(
        'it refuses the login: does its pg_hba.conf let this role in from here?',
      )
    })

    it('is not used where the server has none: prefer goes on without, the others refuse', async () => {
      const { settings } = server
      expect(await ask({ ...settings, tls: tls('prefer') }, USES_TLS)).toEqual([{ ssl: false }])
      expect(await ask({ ...settings, tls: tls('require') })).toMatch(/cannot be used: the server has no TLS$/)
    })

    it('is not used on a Unix socket', async () => {
      const settings = { ...server.settings, hosts: [at(server.port, server.folder)], tls: tls('verify-full') }
      expect(await ask(settings)).toEqual([{ n: 1 }])
    })
  })

  it('have a role of the tests that can create a schema, and nothing else', async () => {
    expect(PASSWORD).toContain('canary')
    expect(await ask(settingsOf(port(readOnly)), 'CREATE ROLE other')).toMatch(/read-only|lacks a right/)
    expect(await ask(settingsOf(port(server)), 'CREATE TEMP TABLE t (id int)')).toContain('lacks a right')
  })
})
