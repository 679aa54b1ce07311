import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

export interface Peer {
  readonly pid: number
  /** Its first message. */
  readonly said: unknown
  /** Sends a message. Returns the reply. */
  ask(message: string): Promise<unknown>
  stop(): Promise<void>
}

/** Runs a file of this folder in a process of its own, without the Node options of the benchmarks. */
export async function startPeer(file: string, ...args: readonly string[]): Promise<Peer> {
  const child = fork(join(import.meta.dirname, file), args, { execArgv: [] })
  const [said] = (await once(child, 'message')) as unknown[]
  return {
    pid: child.pid ?? 0,
    said,
    async ask(message) {
      child.send(message)
      return ((await once(child, 'message')) as unknown[])[0]
    },
    stop: () => stop(child),
  }
}

/**
 * Runs the shipped gateway, where v1 answers, and discards its log; `more` are further variables, `checkout` is the folder of its code.
 * Without `ports` it gets free ones. `flags` are Node's.
 */
export async function startGatewayProcess(
  v1Url: string,
  more: Readonly<Record<string, string>> = {},
  checkout: string = root,
  ports?: readonly [port: number, adminPort: number],
  flags: readonly string[] = [],
) {
  const [port, adminPort] = ports ?? [await freePort(), await freePort()]
  const env = { HOST: '127.0.0.1', PORT: `${port}`, ADMIN_PORT: `${adminPort}`, V1_BASE_URL: v1Url, SERVE: 'v1' }
  const child = spawn(process.execPath, [...flags, 'src/cli/legacy-gateway.ts', 'serve'], {
    cwd: checkout,
    env: { PATH: process.env.PATH, ...env, ...more },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  while (!((await listens(port)) && (await listens(adminPort)))) {
    if (child.exitCode !== null) throw new Error('the gateway does not start')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const url = `http://127.0.0.1:${port}`
  return { pid: child.pid ?? 0, url, adminUrl: `http://127.0.0.1:${adminPort}`, stop: () => stop(child) }
}

async function stop(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit')
  child.kill()
  await gone
}

/** Ports that were free once are free again as soon as they are closed, so the same one may come twice. */
const given = new Set<number>()

/** Returns a free port that it has not returned before. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  if (given.has(port)) return freePort()
  given.add(port)
  return port
}

export function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true))
    socket.on('error', () => resolve(false)).on('connect', () => socket.destroy())
  })
}

/** Returns the current and the largest resident memory of a process, in bytes. Linux only. */
export function residentBytes(pid: number): { readonly now: number; readonly most: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const bytes = (name: string): number => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) * 1024
  return { now: bytes('VmRSS'), most: bytes('VmHWM') }
}

/** Returns the processor time that a process has used, in microseconds. Linux only; its clock ticks every 10 ms. */
export function processorTime(pid: number): number {
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const [user, system] = fields.split(' ').slice(11, 13).map(Number)
  return ((user ?? 0) + (system ?? 0)) * 10_000
}
