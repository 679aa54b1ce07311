import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import type { PostgresSettings } from '../../src/control-plane/store/postgres/postgres-settings.ts'
import { freePort } from '../bench/processes.ts'
import type { KeyPair } from '../real/certificates.ts'
import { closeAtEnd } from './clean-up.ts'
import {
  copyData,
  DATABASE,
  giveAway,
  isInstalled,
  makeOwnFolder,
  PASSWORD,
  programOf,
  ROLE,
  runsAs,
} from './postgres-files.ts'

export { DATABASE, isInstalled, PASSWORD, ROLE }

export interface PostgresOptions {
  /** Waits for the disk at each commit, as a real server does. Default: true. */
  readonly fsync?: boolean
  /** Offers TLS with this certificate. */
  readonly tls?: KeyPair
  /** Refuses connections without TLS. */
  readonly tlsOnly?: boolean
  /** The authority of client certificates, which it then demands. */
  readonly clientCa?: string
  /** Further settings of the server, such as `max_connections`. */
  readonly settings?: Readonly<Record<string, string>>
}

/** A PostgreSQL server of the tests' own, on a port of loopback. */
export interface PostgresServer {
  readonly port: number
  /** The folder of its Unix socket. */
  readonly folder: string
  /** For `STATE_DB`. */
  readonly url: string
  /** The same for `openDatabase`, without TLS. */
  readonly settings: PostgresSettings
  /** Runs statements as superuser, over the Unix socket. */
  query(text: string): Promise<readonly Readonly<Record<string, unknown>>[]>
  stop(): Promise<void>
  /** Ends all its processes as a crash does. */
  kill9(): Promise<void>
  /** Stops all its processes (SIGSTOP): connections stay open, and nobody answers. */
  pause(): void
  resume(): void
  /** Starts it again with the same data at the same port; stops it before that if it runs. */
  restart(): Promise<void>
  /** What it has logged so far. */
  said(): string
}

/** It takes a second. Without a limit, a file that starts one outside its tests would wait forever. */
const START_MS = 60_000

export const urlOf = (port: number, host = '127.0.0.1'): string =>
  `postgres://${ROLE}:${encodeURIComponent(PASSWORD)}@${host}:${port}/${DATABASE}`

export const settingsOf = (port: number, host = '127.0.0.1'): PostgresSettings => ({
  hosts: [{ host, port }],
  ...{ database: DATABASE, user: ROLE, password: PASSWORD, tls: undefined },
  ...{ applicationName: 'legacy-gateway', connectTimeoutMs: 5_000, schema: 'legacy_gateway' },
})

/** Starts a server until the file's tests have run. It takes about a second. */
export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  const folder = makeOwnFolder()
  const data = join(folder, 'data')
  await copyData(data)
  writeFileSync(join(data, 'pg_hba.conf'), accessRules(options))
  const port = await freePort()
  const settings = { ...settingsFor(options), ...tlsSettings(data, options), ...options.settings }
  const line = [
    '-D',
    data,
    '-p',
    `${port}`,
    '-k',
    folder,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]
  let output = ''
  let child: ChildProcess | undefined
  const start = async (): Promise<void> => {
    const from = output.length
    const started = spawn(programOf('postgres'), line, {
      ...runsAs,
      cwd: folder,
      env: {},
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    child = started
    started.stderr.on('data', (chunk: Buffer) => {
      output += chunk
    })
    const deadline = performance.now() + START_MS
    while (!output.slice(from).includes('ready to accept connections')) {
      if (started.exitCode !== null || started.signalCode !== null) throw new Error(`PostgreSQL fails: ${output}`)
      if (performance.now() > deadline) throw new Error(`PostgreSQL is not ready after a minute: ${output}`)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
  const end = async (endIt: (running: ChildProcess) => void): Promise<void> => {
    const running = child
    child = undefined
    if (running === undefined || running.exitCode !== null || running.signalCode !== null) return
    const exited = once(running, 'exit')
    endIt(running)
    await exited
  }
  const kill9 = async (): Promise<void> => {
    let sessions: readonly number[] = []
    await end((running) => {
      sessions = childrenOf(running)
      signalAll(running, 'SIGKILL')
    })
    // Until the last of them has let go of the shared memory, it would not start again.
    while (sessions.some(isAlive)) await new Promise((resolve) => setTimeout(resolve, 5))
  }
  const stop = (): Promise<void> =>
    end((running) => {
      signalAll(running, 'SIGCONT')
      // Ends the sessions too, and writes what a clean start needs.
      running.kill('SIGINT')
      setTimeout(() => running.exitCode ?? signalAll(running, 'SIGKILL'), 3_000).unref()
    })
  closeAtEnd(async () => {
    await kill9()
    rmSync(folder, { recursive: true, force: true })
  })
  await start()
  return {
    ...{ port, folder, url: urlOf(port), settings: settingsOf(port), stop, kill9 },
    query: (text) => asSuperuser(folder, port, text),
    pause: () => child && signalAll(child, 'SIGSTOP'),
    resume: () => child && signalAll(child, 'SIGCONT'),
    restart: async () => {
      await stop()
      await start()
    },
    said: () => output,
  }
}

function accessRules({ tlsOnly = false, clientCa }: PostgresOptions): string {
  const demand = clientCa === undefined ? '' : ' clientcert=verify-ca'
  const rules = ['local all postgres trust', 'local all all scram-sha-256']
  return [...rules, `${tlsOnly ? 'hostssl' : 'host'} all all 127.0.0.1/32 scram-sha-256${demand}`, ''].join('\n')
}

const settingsFor = ({ fsync = true }: PostgresOptions): Readonly<Record<string, string>> => ({
  ...{ listen_addresses: '127.0.0.1', shared_buffers: '16MB', max_connections: '40', timezone: 'UTC' },
  ...(fsync ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
})

function tlsSettings(data: string, { tls, clientCa }: PostgresOptions): Readonly<Record<string, string>> {
  if (tls === undefined) return {}
  const copied = (from: string, name: string): string => {
    const file = join(data, name)
    copyFileSync(from, file)
    chmodSync(file, 0o600)
    giveAway(file)
    return file
  }
  return {
    ...{ ssl: 'on', ssl_cert_file: copied(tls.certificate, 'server.pem'), ssl_key_file: copied(tls.key, 'server.key') },
    ...(clientCa === undefined ? {} : { ssl_ca_file: copied(clientCa, 'client-ca.pem') }),
  }
}

const childrenOf = ({ pid = 0 }: ChildProcess): readonly number[] =>
  (readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').match(/\d+/g) ?? []).map(Number)

/** Whether a process runs, rather than waits for somebody to ask how it ended. */
function isAlive(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

/** Each process of the server is a session of its own, so that no signal to a group reaches them all. */
function signalAll(running: ChildProcess, signal: NodeJS.Signals): void {
  const { pid = 0 } = running
  // The first one would replace those that are killed.
  if (signal !== 'SIGCONT') process.kill(pid, 'SIGSTOP')
  for (const child of childrenOf(running)) {
    try {
      process.kill(child, signal)
    } catch {
      // It has just ended.
    }
  }
  process.kill(pid, signal)
}

/** Runs statements over the Unix socket of a server. */
export async function asSuperuser(
  folder: string,
  port: number,
  text: string,
): Promise<readonly Record<string, unknown>[]> {
  const client = new Client({ host: folder, port, user: 'postgres', database: DATABASE, password: '-', ssl: false })
  // The query says so if the server ends before its answer.
  client.on('error', () => undefined)
  await client.connect()
  try {
    const { rows } = await client.query<Record<string, unknown>>(text)
    return rows
  } finally {
    await client.end()
  }
}
