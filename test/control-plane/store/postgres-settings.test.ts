import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { PostgresSettings } from '../../../src/control-plane/store/postgres/postgres-settings.ts'
import { databaseName, PostgresSettingsError } from '../../../src/control-plane/store/postgres/postgres-settings.ts'
import { readPostgresSettings } from '../../../src/control-plane/store/postgres/read-postgres-settings.ts'
import { makeCertificates } from '../../real/certificates.ts'
import { isInstalled } from '../../real/start-program.ts'

type Env = Readonly<Record<string, string>>

const FILES: Readonly<Record<string, string>> = {
  '/passwords': [
    '# host:port:database:user:password',
    'other:*:*:*:wrong',
    'db:5433:*:ann:of port 5433',
    '*:*:a\\:b:ann:of a\\:b',
    'localhost:*:*:ann:of the socket',
    'db:*:gateway:ann:of:db\\\\',
  ].join('\n'),
  '/not-pem': 'canary',
}

function readFile(path: string): string {
  const text = FILES[path]
  if (text === undefined) throw Object.assign(new Error('canary'), { code: 'ENOENT' })
  return text
}

const read = (url: string, env: Env = {}): PostgresSettings =>
  readPostgresSettings(url, env, 'legacy_gateway', readFile)

function problemsOf(url: string, env: Env = {}): readonly string[] {
  try {
    read(url, env)
  } catch (error) {
    if (error instanceof PostgresSettingsError) return error.problems
    throw error
  }
  return []
}

describe('the settings of PostgreSQL', () => {
  it('are read from a URL, with the defaults of libpq', () => {
    expect(read('postgres://ann:secret@db/gateway')).toEqual({
      hosts: [{ host: 'db', port: 5432 }],
      database: 'gateway',
      user: 'ann',
      password: 'secret',
      tls: { mode: 'prefer', ca: undefined, cert: undefined, key: undefined },
      applicationName: 'legacy-gateway',
      connectTimeoutMs: 5_000,
      schema: 'legacy_gateway',
    })
    expect(read('postgresql://ann@db:6000')).toMatchObject({ hosts: [{ host: 'db', port: 6000 }], database: 'ann' })
  })

  it('take names and passwords with any character, percent-encoded', () => {
    const { user, password, database } = read('postgres://a%40b:p%3A%2F%25%20:q@db/g%2Fh')
    expect({ user, password, database }).toEqual({ user: 'a@b', password: 'p:/% :q', database: 'g/h' })
  })

  it.each<[string, Env, readonly { host: string; port: number }[]]>([
    [
      'postgres://u@a:1,b:2,c/d',
      {},
      [
        { host: 'a', port: 1 },
        { host: 'b', port: 2 },
        { host: 'c', port: 5432 },
      ],
    ],
    [
      'postgres://u@a,b/d?port=7',
      {},
      [
        { host: 'a', port: 7 },
        { host: 'b', port: 7 },
      ],
    ],
    [
      'postgres://u@/d?host=a,b&port=7,8',
      {},
      [
        { host: 'a', port: 7 },
        { host: 'b', port: 8 },
      ],
    ],
    ['postgres://u@[::1]:6000/d', {}, [{ host: '::1', port: 6000 }]],
    ['postgres://u@[2001:db8::1]/d', {}, [{ host: '2001:db8::1', port: 5432 }]],
    ['postgres:///d?user=u&host=/run/postgresql', {}, [{ host: '/run/postgresql', port: 5432 }]],
    ['postgres://u@:6000/d?host=/run/postgresql', {}, [{ host: '/run/postgresql', port: 6000 }]],
    ['postgres://u@%2Frun%2Fpostgresql:6000/d', {}, [{ host: '/run/postgresql', port: 6000 }]],
    [
      'postgres://u@/d',
      { PGHOST: 'a,b', PGPORT: '1,2' },
      [
        { host: 'a', port: 1 },
        { host: 'b', port: 2 },
      ],
    ],
    ['postgres://u@db/d', { PGHOST: 'other', PGPORT: '6000' }, [{ host: 'db', port: 6000 }]],
    ['postgres://u@db:1/d', { PGPORT: '6000' }, [{ host: 'db', port: 1 }]],
  ])('%s with %j leads to %j', (url, env, hosts) => {
    expect(read(url, env).hosts).toEqual(hosts)
  })

  it('come from the variables of libpq where the URL does not say', () => {
    const env = {
      ...{ PGHOST: 'db', PGUSER: 'ann', PGPASSWORD: 'secret', PGDATABASE: 'gateway', PGSSLMODE: 'disable' },
      ...{ PGAPPNAME: 'mine', PGCONNECT_TIMEOUT: '3', PGTARGETSESSIONATTRS: 'read-write' },
    }
    const all = { database: 'gateway', user: 'ann', password: 'secret', tls: undefined, applicationName: 'mine' }
    expect(read('postgres://', env)).toMatchObject({ ...all, connectTimeoutMs: 3_000 })
    const url = 'postgres://bob:his@host/name?application_name=yours&connect_timeout=7&sslmode=require'
    expect(read(url, env)).toMatchObject({
      ...{ database: 'name', user: 'bob', password: 'his', applicationName: 'yours', connectTimeoutMs: 7_000 },
      tls: { mode: 'require' },
    })
    expect(read('postgres://ann@db', { PGUSER: '', PGPASSWORD: '' }).password).toBeUndefined()
  })

  it.each([
    ['postgres://ann@db/gateway', 'of:db\\'],
    ['postgres://ann@db:5433/gateway', 'of port 5433'],
    ['postgres://ann@elsewhere/a%3Ab', 'of a:b'],
    ['postgres://ann@/name?host=/run/postgresql', 'of the socket'],
    ['postgres://bob@db/gateway', undefined],
    ['postgres://ann:own@db/gateway', 'own'],
  ])('%s finds its password in a file', (url, password) => {
    expect(read(url, { PGPASSFILE: '/passwords' }).password).toBe(password)
    expect(read(`${url}${url.includes('?') ? '&' : '?'}passfile=/passwords`).password).toBe(password)
  })

  it.each([
    ['disable', undefined],
    ['allow', 'prefer'],
    ['prefer', 'prefer'],
    ['require', 'require'],
    ['verify-ca', 'verify-ca'],
    ['verify-full', 'verify-full'],
  ])('sslmode=%s', (sslmode, mode) => {
    expect(read(`postgres://u@db/d?sslmode=${sslmode}`).tls?.mode).toBe(mode)
    expect(read('postgres://u@db/d', { PGSSLMODE: sslmode }).tls?.mode).toBe(mode)
  })

  it('verify in full with the authorities of the system', () => {
    expect(read('postgres://u@db/d?sslrootcert=system').tls).toMatchObject({ mode: 'verify-full', ca: undefined })
    expect(problemsOf('postgres://u@db/d?sslrootcert=system&sslmode=require')).toEqual([
      'STATE_DB: sslmode must be verify-full when sslrootcert is system',
    ])
  })

  it.skipIf(!isInstalled('openssl'))('hold the certificates themselves (with openssl)', () => {
    const { ca, client } = makeCertificates()
    const url = `postgres://u@db/d?sslmode=verify-ca&sslrootcert=${ca}&sslcert=${client.certificate}`
    const text = (path: string): string => readFileSync(path, 'utf8')
    expect(readPostgresSettings(url, { PGSSLKEY: client.key }, 's', text).tls).toEqual({
      ...{ mode: 'verify-ca', ca: text(ca), cert: text(client.certificate), key: text(client.key) },
    })
    const wrong = (): unknown => readPostgresSettings(url, { PGSSLKEY: makeCertificates().client.key }, 's', text)
    expect(wrong).toThrow(/^STATE_DB: sslrootcert, STATE_DB: sslcert, PGSSLKEY: certificate and key do not belong/)
  })

  it.each<[string, Env, string]>([
    ['postgres:/u@db', {}, 'STATE_DB must begin with postgres:// or postgresql://'],
    ['postgres://u:can@ary@db/d', {}, 'STATE_DB has too many @ or /: in a user or password, write them as %40 and %2F'],
    ['postgres://u:can/ary@db/d', {}, 'STATE_DB has too many @ or /: in a user or password, write them as %40 and %2F'],
    [
      'postgres://u:canary%@db/d',
      {},
      'STATE_DB has a % without two hexadecimal digits after it, or is not UTF-8: write a % as %25',
    ],
    ['postgres://u@/d', {}, 'STATE_DB names no host, and PGHOST is not set'],
    ['postgres://db/d', {}, 'STATE_DB names no user, and PGUSER is not set'],
    ['postgres://u@db:canary/d', {}, 'STATE_DB has a port that is not a whole number from 1 to 65535'],
    ['postgres://u@db:0/d', {}, 'STATE_DB has a port that is not a whole number from 1 to 65535'],
    ['postgres://u@db/d', { PGPORT: '70000' }, 'PGPORT has a port that is not a whole number from 1 to 65535'],
    ['postgres://u@a,b,c/d?port=1,2', {}, 'STATE_DB: port must be one port, or one for each host'],
    ['postgres://u@a,/d', {}, 'STATE_DB has an invalid host: expected names, addresses or paths'],
    [
      'postgres://u@db/d?sslmode=canary',
      {},
      'STATE_DB: sslmode must be one of disable, allow, prefer, require, verify-ca, verify-full',
    ],
    [
      'postgres://u@db/d',
      { PGSSLMODE: 'canary' },
      'PGSSLMODE must be one of disable, allow, prefer, require, verify-ca, verify-full',
    ],
    ['postgres://u@db/d?sslcert=/canary', {}, 'STATE_DB: sslcert needs a key: set sslkey or PGSSLKEY'],
    ['postgres://u@db/d', { PGSSLROOTCERT: '/canary' }, 'PGSSLROOTCERT: the file cannot be read (ENOENT)'],
    ['postgres://u@db/d?sslrootcert=/not-pem', {}, 'STATE_DB: sslrootcert: the file has no PEM (-----BEGIN …-----)'],
    ['postgres://u@db/d?passfile=/canary', {}, 'STATE_DB: passfile: the file cannot be read (ENOENT)'],
    [
      'postgres://u@db/d?connect_timeout=0',
      {},
      'STATE_DB: connect_timeout must be a whole number of seconds from 1 to 60',
    ],
    [
      'postgres://u@db/d',
      { PGCONNECT_TIMEOUT: '5s' },
      'PGCONNECT_TIMEOUT must be a whole number of seconds from 1 to 60',
    ],
    [
      'postgres://u@db/d?target_session_attrs=standby',
      {},
      'STATE_DB: target_session_attrs must be read-write: results are written',
    ],
    [
      'postgres://u@db/d?options=-ccanary',
      {},
      'STATE_DB: parameter options is not supported, as it does not survive a pooler: use ALTER ROLE … SET',
    ],
    [
      'postgres://u@db/d',
      { PGOPTIONS: '-ccanary' },
      'PGOPTIONS is not supported, as it does not survive a pooler: use ALTER ROLE … SET',
    ],
    ['postgres://u@db/d?sslmod=canary', {}, 'STATE_DB: parameter sslmod is unknown; known are host, port, dbname'],
  ])('%s with %j is refused in words that quote nothing', (url, env, problem) => {
    const problems = problemsOf(url, env)
    expect(problems).toContainEqual(expect.stringContaining(problem))
    expect(problems.join()).not.toMatch(/can@?\/?ary/)
  })

  it('are refused with every problem at once', () => {
    const problems = problemsOf('postgres://?sslmode=no', { PGCONNECT_TIMEOUT: 'x' })
    expect(problems.map((problem) => problem.split(/ must|,/)[0])).toEqual([
      'STATE_DB names no host',
      'STATE_DB names no user',
      'STATE_DB: sslmode',
      'PGCONNECT_TIMEOUT',
    ])
  })

  it.each([
    ['postgres://ann:canary@db/gateway?password=canary', 'postgres://db:5432/gateway'],
    ['postgres://ann:canary@a,[::1]:6000/g%2Fh', 'postgres://a:5432,[::1]:6000/g%2Fh'],
    ['postgres://ann:canary@/d?host=/run/postgresql', 'postgres://%2Frun%2Fpostgresql:5432/d'],
  ])('%s is called %s', (url, name) => {
    expect(databaseName(read(url))).toBe(name)
  })
})
