import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { closeAtEnd } from '../../support/clean-up.ts'
import { until } from '../../support/start-gateway.ts'
import { makeFolder } from '../start-program.ts'

/** Debian's folder of PostgreSQL's programs, which is not on the PATH. */
const programs = globSync('/usr/lib/postgresql/*/bin').at(-1)
/** Needs quoting in SQL. */
const PASSWORD = "a 'quoted' \\ password"
const DATABASE = 'legacy_gateway'

/** PostgreSQL refuses to run as root. */
const idOf = (option: string): number => Number(spawnSync('id', [option, 'postgres'], { encoding: 'utf8' }).stdout)
const postgresUser = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {}

/** A new server, until the file's tests have run, with the database that PostgreSQL's image would make. */
async function startServer() {
  const folder = makeFolder({ superuser: 'of-the-superuser' })
  if (postgresUser.uid !== undefined) chownSync(folder, postgresUser.uid, postgresUser.gid)
  const [data, program] = [join(folder, 'data'), (name: string) => join(programs ?? '', name)]
  const initdb = [
    '-D',
    data,
    '-U',
    'postgres',
    '-A',
    'scram-sha-256',
    `--pwfile=${join(folder, 'superuser')}`,
    '-E',
    'UTF8',
    '--no-sync',
  ]
  execFileSync(program('initdb'), initdb, { ...postgresUser, cwd: folder, stdio: 'pipe' })
  const settings = ['listen_addresses=', 'fsync=off', 'shared_buffers=16MB'].flatMap((setting) => ['-c', setting])
  const server = spawn(program('postgres'), ['-D', data, '-k', folder, ...settings], { ...postgresUser, cwd: folder })
  closeAtEnd(async () => {
    server.kill('SIGQUIT')
    if (server.exitCode === null) await once(server, 'exit')
  })
  let said = ''
  server.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    said += chunk
  })
  await until(() => said.includes('ready to accept connections'), 30_000)
  const psql = (user: string, password: string, args: readonly string[], env = {}) => {
    const line = ['-h', folder, '-U', user, '-X', '-A', '-t', '-v', 'ON_ERROR_STOP=1', ...args]
    return spawnSync(program('psql'), line, {
      env: { PGPASSWORD: password, PATH: process.env.PATH, ...env },
      encoding: 'utf8',
    })
  }
  const asSuperuser = (database: string, args: readonly string[], env = {}) => {
    const { status, stderr } = psql('postgres', 'of-the-superuser', ['-d', database, ...args], env)
    expect(status, stderr).toBe(0)
  }
  asSuperuser('postgres', ['-c', `CREATE DATABASE ${DATABASE}`])
  const file = join(makeFolder({ password: `${PASSWORD}\n` }), 'password')
  asSuperuser(DATABASE, ['-f', 'deploy/postgres/create-role.sql'], { STATE_PASSWORD_FILE: file })
  return {
    asSuperuser: (text: string) => asSuperuser(DATABASE, ['-c', text]),
    /** What a statement of the gateway's role gives, or its error. */
    asRole: (text: string, password = PASSWORD) => {
      const { stdout, stderr } = psql(DATABASE, password, ['-d', DATABASE, '-c', text])
      return (stdout + stderr).trim()
    },
  }
}

describe.skipIf(programs === undefined)(
  'deploy/postgres/create-role.sql (with PostgreSQL)',
  { timeout: 60_000 },
  () => {
    it('makes a role that may do all in its own schema, and nothing elsewhere', async () => {
      const { asRole, asSuperuser } = await startServer()
      asSuperuser('CREATE SCHEMA other; CREATE TABLE other.secret (a int); CREATE TABLE public.shared (a int)')
      expect(asRole('SELECT 1', 'another password')).toContain('password authentication failed')
      const own = 'legacy_gateway.ledger'
      expect(
        asRole(`CREATE TABLE ${own} (a int); INSERT INTO ${own} VALUES (7); ALTER TABLE ${own} ADD b int`),
      ).not.toContain('ERROR')
      expect(asRole(`SELECT a FROM ${own}`)).toBe('7')
      expect(asRole('LISTEN changes; NOTIFY changes; SELECT pg_advisory_xact_lock(1) IS NULL')).not.toContain('ERROR')
      for (const statement of [
        'SELECT * FROM other.secret',
        'SELECT * FROM public.shared',
        'CREATE TABLE public.mine (a int)',
        'CREATE TEMPORARY TABLE mine (a int)',
        'CREATE SCHEMA mine',
        'CREATE DATABASE mine',
        'CREATE ROLE mine',
        'SELECT * FROM pg_authid',
      ]) {
        expect(asRole(statement), statement).toContain('permission denied')
      }
    })
  },
)
