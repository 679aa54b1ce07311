import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { closeAtEnd } from './clean-up.ts'

/** A command of the real command line in a process. */
export interface ServiceProcess {
  readonly child: ChildProcess
  /** Its standard output so far. */
  output(): string
  /** Its standard error so far. */
  errors(): string
  /** The exit code; null when a signal ended it. */
  readonly exit: Promise<number | null>
}

/**
 * Starts it on free ports of loopback, until the file's tests have run.
 * @param openFiles its limit of open files; undefined: the limit of this process.
 */
export function startService(
  command: 'serve' | 'sandbox',
  env: Readonly<Record<string, string>>,
  options: readonly string[] = [],
  openFiles?: number,
): ServiceProcess {
  const ports = { PORT: '0', ADMIN_PORT: '0', SANDBOX_V1_PORT: '0', SANDBOX_LEGACY_PORT: '0' }
  const line = [process.execPath, 'src/cli/bin.js', command, ...options]
  const limited = openFiles === undefined ? line : ['sh', '-c', `ulimit -n ${openFiles}; exec "$@"`, 'sh', ...line]
  const [file = '', ...args] = limited
  const child = spawn(file, args, {
    cwd: join(import.meta.dirname, '../..'),
    env: { PATH: process.env.PATH, HOST: '127.0.0.1', ...ports, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  closeAtEnd(() => child.kill('SIGKILL'))
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  let errors = ''
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString()
    process.stderr.write(chunk)
  })
  return {
    child,
    output: () => output,
    errors: () => errors,
    exit: new Promise((resolve) => child.once('close', (code) => resolve(code))),
  }
}

/** The complete lines of a log so far. */
export function logOf(service: ServiceProcess): readonly Readonly<Record<string, unknown>>[] {
  const lines = service.output().split('\n').slice(0, -1)
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>)
}

/** Waits until a gateway listens. Returns its addresses. */
export async function servingAt(gateway: ServiceProcess): Promise<{ readonly legacy: string; readonly admin: string }> {
  const { legacy, admin } = await said(gateway, () => logOf(gateway).find(({ msg }) => msg === 'serving'))
  return { legacy: String(legacy), admin: String(admin) }
}

/** Waits until both faces of a sandbox listen. Returns their addresses. */
export async function facesOf(sandbox: ServiceProcess): Promise<{ readonly v1: string; readonly legacy: string }> {
  const [, v1 = '', legacy = ''] = await said(sandbox, () => /v1: +(\S+) .*\nlegacy: (\S+)\n/.exec(sandbox.output()))
  return { v1, legacy }
}

async function said<T>({ child }: ServiceProcess, find: () => T | undefined | null): Promise<T> {
  for (let found = find(); ; found = find()) {
    if (found !== undefined && found !== null) return found
    if (child.exitCode !== null) throw new Error(`${child.spawnargs.at(-1)} ended before it served`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
