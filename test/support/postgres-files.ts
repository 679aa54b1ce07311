import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Debian's folders of PostgreSQL's programs, newest first. They are not on the PATH. */
const folders = globSync('/usr/lib/postgresql/*/bin/postgres')
  .map((path) => join(path, '..'))
  .sort((one, other) => Number(other.split('/')[4]) - Number(one.split('/')[4]))

/** Whether a server can be started. Tests that need one are skipped by name where there is none. */
export const isInstalled: boolean = folders.length > 0

/** The path of one of PostgreSQL's programs. */
export const programOf = (name: string): string => join(folders[0] ?? '', name)

/** The role that a gateway is given: it may create a schema in its database, and nothing else. */
export const ROLE = 'gateway'
export const DATABASE = 'gateway_test'
/** Needs quoting and percent-encoding wherever it is written. Where `canary` appears, a secret got out. */
export const PASSWORD = "canary'/@: %"

/** PostgreSQL and pgbouncer refuse to run as root; then the user `postgres` of Debian's package runs them. */
export const runsAs: { readonly uid?: number; readonly gid?: number } =
  process.getuid?.() === 0 && isInstalled ? { uid: idOf('-u'), gid: idOf('-g') } : {}

function idOf(option: string): number {
  const { status, stdout } = spawnSync('id', [option, 'postgres'], { encoding: 'utf8' })
  return status === 0 ? Number(stdout) : 65_534
}

/** Runs a program as the user of the servers. */
function run(program: string, args: readonly string[], input = ''): void {
  execFileSync(program, args, { ...runsAs, input, stdio: ['pipe', 'ignore', 'pipe'], cwd: '/' })
}

/** Makes a folder that the user of the servers owns. */
export function makeOwnFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'legacy-gateway-'))
  giveAway(folder)
  return folder
}

/** Makes a file belong to the user of the servers. */
export function giveAway(path: string): void {
  if (runsAs.uid !== undefined) execFileSync('chown', ['-R', `${runsAs.uid}:${runsAs.gid}`, path])
}

const CACHE = join(import.meta.dirname, '../../node_modules/.cache')

/**
 * Copies the data of a new server into `to`: role, database and rights are there. Making it takes seconds, so that it is kept in
 * `node_modules/.cache` and copied.
 */
export async function copyData(to: string): Promise<void> {
  const version = /(\d+)\/bin$/.exec(folders[0] ?? '')?.[1]
  const kept = join(CACHE, `postgres-${version}-${runsAs.uid ?? process.getuid?.()}-2`)
  if (!existsSync(kept)) makeData(kept)
  // Keeps owner and rights, which Node's own copy does not.
  await promisify(execFile)('cp', ['-a', kept, to])
}

const SETUP = `
CREATE ROLE ${ROLE} LOGIN PASSWORD '${PASSWORD.replaceAll("'", "''")}';
CREATE DATABASE ${DATABASE};
REVOKE ALL ON DATABASE ${DATABASE} FROM PUBLIC;
GRANT CONNECT, CREATE ON DATABASE ${DATABASE} TO ${ROLE};
`

function makeData(kept: string): void {
  const folder = makeOwnFolder()
  const data = join(folder, 'data')
  run(programOf('initdb'), [
    '-D',
    data,
    '-U',
    'postgres',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--locale=C',
    '--no-sync',
    '--wal-segsize=1',
  ])
  run(programOf('postgres'), ['--single', '-F', '-D', data, 'postgres'], SETUP)
  mkdirSync(CACHE, { recursive: true })
  const copy = mkdtempSync(join(CACHE, 'postgres-'))
  execFileSync('cp', ['-a', data, copy])
  rmSync(folder, { recursive: true, force: true })
  try {
    renameSync(join(copy, 'data'), kept)
  } catch (error) {
    // Another process was quicker.
    if (!existsSync(kept)) throw error
  }
  rmSync(copy, { recursive: true, force: true })
}
