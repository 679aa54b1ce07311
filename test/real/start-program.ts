import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, listens } from '../bench/processes.ts'
import { closeAtEnd } from '../support/clean-up.ts'

export { freePort }

/** Where Debian installs servers, besides the folders of users' programs. */
const PATH = `${process.env.PATH}:/usr/local/sbin:/usr/sbin:/sbin`

/** Whether a program is installed. Tests that need a missing one are skipped by its name. */
export const isInstalled = (program: string): boolean =>
  spawnSync('sh', ['-c', `command -v ${program}`], { env: { PATH }, stdio: 'ignore' }).status === 0

/** A server program of the system, in a process. */
export interface Program {
  readonly pid: number
  /** Its standard output and standard error so far. */
  said(): string
  signal(name: NodeJS.Signals): void
  /** Ends it before the end of the file. */
  stop(): Promise<void>
}

/** Makes a folder with these files that every user may read. It is removed after the file's tests. */
export function makeFolder(files: Readonly<Record<string, string>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'legacy-gateway-'))
  chmodSync(folder, 0o755)
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  closeAtEnd(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** How long a program may take to listen. */
const PATIENCE_MS = 15_000

/**
 * Starts a program in the foreground, until the file's tests have run, and waits until it listens on `port` of loopback.
 * @throws with its output when it ends, or does not listen in time.
 */
export async function startProgram(
  [file = '', ...args]: readonly string[],
  port: number,
  env: Readonly<Record<string, string>> = {},
): Promise<Program> {
  const child = spawn(file, args, { env: { PATH, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk
    })
  }
  const exited = once(child, 'exit')
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGTERM')
    const timeout = setTimeout(() => child.kill('SIGKILL'), 2_000)
    await exited
    clearTimeout(timeout)
  }
  closeAtEnd(stop)
  const end = performance.now() + PATIENCE_MS
  while (!(await listens(port))) {
    if (child.exitCode !== null) throw new Error(`${file} ended before it listened: ${output}`)
    if (performance.now() > end) throw new Error(`${file} does not listen: ${output}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return {
    pid: child.pid ?? 0,
    said: () => output,
    signal: (name) => {
      child.kill(name)
    },
    stop,
  }
}
