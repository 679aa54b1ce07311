import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PostgresSettings } from '../../src/state/postgres/postgres-settings.ts'
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
  const child = spawn('pgbouncer', [config], {
    ...{ ...runsAs, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] },
    env: { PATH: `${process.env.PATH}:/usr/sbin:/sbin` },
  })
  let output = ''
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk
  })
  const exited = once(child, 'exit')
  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL')
    if (isRunning()) await exited
  }
  closeAtEnd(async () => {
    await stop()
    rmSync(folder, { recursive: true, force: true })
  })
  while (!(await listens(port))) {
    if (!isRunning()) throw new Error(`pgbouncer does not start: ${output}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  return {
    ...{ port, url: urlOf(port), settings: settingsOf(port), stop },
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    said: () => output,
  }
}
