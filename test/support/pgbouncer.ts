import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PostgresSettings } from '../../src/control-plane/store/postgres/postgres-settings.ts'
import { freePort, listens } from '../bench/processes.ts'
import { isInstalled as hasProgram } from '../real/start-program.ts'
import { closeAtEnd } from './clean-up.ts'
import { DATABASE, isInstalled as hasPostgres, settingsOf, urlOf } from './postgres.ts'
import { giveAway, makeOwnFolder, PASSWORD, ROLE, runsAs } from './postgres-files.ts'

export const isInstalled: boolean = hasPostgres && hasProgram('pgbouncer')

export interface Pgbouncer {
  readonly port: number
  readonly url: string
  readonly settings: PostgresSettings
  pause(): void
  resume(): void
  stop(): Promise<void>
  /** Ends it as a crash does, if it runs, and starts it again at the same port. */
  restart(): Promise<void>
  /** What it has logged so far. */
  said(): string
}

/**
 * Starts pgbouncer in transaction mode before a server, until the file's tests have run.
 * @param more further lines of its configuration, such as `default_pool_size = 1`.
 */
export async function startPgbouncer(server: { readonly port: number }, more = ''): Promise<Pgbouncer> {
  const [folder, port] = [makeOwnFolder(), await freePort()]
  const users = join(folder, 'users.txt')
  const config = join(folder, 'pgbouncer.ini')
  writeFileSync(users, `"${ROLE}" "${PASSWORD.replaceAll('"', '""')}"\n`)
  writeFileSync(
    config,
    `[databases]
${DATABASE} = host=127.0.0.1 port=${server.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = transaction
${more}
`,
  )
  giveAway(folder)
  let output = ''
  let child: ChildProcess | undefined
  const start = async (): Promise<void> => {
    const started = spawn('pgbouncer', [config], {
      ...{ ...runsAs, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] },
      env: { PATH: `${process.env.PATH}:/usr/sbin:/sbin` },
    })
    child = started
    started.stderr?.on('data', (chunk: Buffer) => {
      output += chunk
    })
    while (!(await listens(port))) {
      if (!isRunning(started)) throw new Error(`pgbouncer does not start: ${output}`)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
  const stop = async (): Promise<void> => {
    if (child === undefined || !isRunning(child)) return
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }
  closeAtEnd(async () => {
    await stop()
    rmSync(folder, { recursive: true, force: true })
  })
  await start()
  return {
    ...{ port, url: urlOf(port), settings: settingsOf(port), stop },
    restart: async () => {
      await stop()
      await start()
    },
    pause: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
    said: () => output,
  }
}

const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode === null && signalCode === null
