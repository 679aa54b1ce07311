import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Pool } from 'undici'
import { describe, expect, test } from 'vitest'
import { listens } from '../bench/processes.ts'
import { closeAtEnd } from '../support/clean-up.ts'
import { callLegacy } from '../support/legacy-client.ts'
import { deadUrl } from '../support/raw-server.ts'
import { mountSmall, type SmallDisk } from '../support/small-disk.ts'
import { until } from '../support/start-gateway.ts'
import { freePort, makeFolder } from './start-program.ts'

interface Running {
  readonly child: ChildProcess
  readonly url: string
  readonly adminUrl: string
}

/** The shipped gateway. Its standard output is this descriptor, or what the shell redirects to. */
async function startWritingTo(output: number | string): Promise<Running> {
  const [port, adminPort] = [await freePort(), await freePort()]
  const serve = ['src/cli/bin.js', 'serve']
  // `exec` makes the gateway replace the shell's process.
  const shell = ['-c', `exec "${process.execPath}" ${serve.join(' ')} ${output}`]
  const [program, parameters] = typeof output === 'string' ? ['sh', shell] : [process.execPath, serve]
  const child = spawn(program, parameters, {
    cwd: join(import.meta.dirname, '../..'),
    env: {
      ...{ PATH: process.env.PATH, HOST: '127.0.0.1', PORT: `${port}`, ADMIN_PORT: `${adminPort}` },
      // It is never called: the gateway answers unknown paths by itself.
      V1_BASE_URL: await deadUrl(),
      // A stop that waits for this grace fails the test.
      SHUTDOWN_GRACE_MS: '600000',
    },
    stdio: ['ignore', typeof output === 'string' ? 'ignore' : output, 'inherit'],
  })
  closeAtEnd(() => child.kill('SIGKILL'))
  while (!(await listens(port)) || !(await listens(adminPort))) {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const adminUrl = `http://127.0.0.1:${adminPort}`
  // At first another socket holds the port for a moment, and could reset a call. This is answered later.
  await callLegacy(adminUrl, { path: '/healthz' })
  return { child, url: `http://127.0.0.1:${port}`, adminUrl }
}

/** A path that makes long lines: its first 200 characters are logged. */
const PATH = `/unknown/${'x'.repeat(200)}`
/** So many that their lines exceed what may wait to be written. */
const MANY = 12_800
const CALLERS = 64

async function call(url: string, calls: number): Promise<ReadonlySet<number>> {
  const pool = new Pool(url, { connections: 8, pipelining: 8 })
  const statuses = new Set<number>()
  const callAgain = async (): Promise<void> => {
    for (let number = 0; number < calls / CALLERS; number++) {
      const { statusCode, body } = await pool.request({ method: 'GET', path: PATH })
      await body.dump()
      statuses.add(statusCode)
    }
  }
  await Promise.all(Array.from({ length: CALLERS }, callAgain))
  await pool.close()
  return statuses
}

async function linesDropped({ adminUrl }: Running): Promise<number> {
  const { text } = await callLegacy(adminUrl, { path: '/metrics' })
  return Number(/^legacy_gateway_log_lines_dropped_total (\d+)$/m.exec(text)?.[1])
}

/** Checks that calls and the admin port are answered. */
async function expectAnswers(gateway: Running): Promise<void> {
  expect(await call(gateway.url, 192)).toEqual(new Set([404]))
  expect((await callLegacy(gateway.adminUrl, { path: '/healthz' })).status).toBe(200)
}

/** Checks that SIGTERM ends it, well within its grace. */
async function expectToStop({ child }: Running): Promise<void> {
  const stopped = once(child, 'exit')
  child.kill('SIGTERM')
  expect(await stopped).toEqual([0, null])
}

const TIMEOUT = { timeout: 90_000 }

/** A named pipe and its reader. */
function startReader(): { readonly fd: number; readonly reader: ChildProcess } {
  const fifo = join(makeFolder(), 'log')
  execFileSync('mkfifo', [fifo])
  const reader = spawn('cat', [fifo], { stdio: ['ignore', 'ignore', 'inherit'] })
  closeAtEnd(() => reader.kill('SIGKILL'))
  return { fd: openSync(fifo, 'w'), reader }
}

const mayMount = mountSmall() !== undefined
const MISSING = 'log lines are missing here'

describe.concurrent('a log that cannot be written costs only lines', () => {
  test.skipIf(!existsSync('/dev/full'))('when the disk is full (/dev/full)', TIMEOUT, async () => {
    const gateway = await startWritingTo('>/dev/full')
    await expectAnswers(gateway)
    await expectAnswers(gateway)
    await expectToStop(gateway)
  })

  test.skipIf(!mayMount)(
    'when the disk is full, until there is room again (a tmpfs, which only root can mount)',
    TIMEOUT,
    async () => {
      const { folder, enlarge } = mountSmall() as SmallDisk
      const file = join(folder, 'log')
      const gateway = await startWritingTo(`>${file}`)
      expect(await call(gateway.url, MANY)).toEqual(new Set([404]))
      await expectAnswers(gateway)
      const dropped = await linesDropped(gateway)
      expect(dropped).toBeGreaterThan(0)
      enlarge()
      await until(() => readFileSync(file, 'utf8').includes(MISSING), 60_000)
      await call(gateway.url, 64)
      await expectToStop(gateway)
      const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1)
      const read = lines.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
      const gap = read.findIndex(({ msg }) => String(msg).startsWith(MISSING))
      expect(read[gap]).toMatchObject({ level: 40, dropped })
      expect(read.slice(0, gap).filter(({ msg }) => msg === 'call').length + dropped).toBe(MANY + 192)
      expect(read.slice(gap + 1).filter(({ msg }) => msg === 'call').length).toBe(64)
      expect(read.at(-1)).toMatchObject({ msg: 'stopped' })
    },
  )

  test('when its reader hangs', TIMEOUT, async () => {
    const { fd, reader } = startReader()
    const gateway = await startWritingTo(fd)
    closeSync(fd)
    reader.kill('SIGSTOP')
    // More than the pipe holds.
    expect(await call(gateway.url, 1_024)).toEqual(new Set([404]))
    await expectAnswers(gateway)
    await expectToStop(gateway)
  })

  test('when its reader is gone', TIMEOUT, async () => {
    const { fd, reader } = startReader()
    const gateway = await startWritingTo(fd)
    closeSync(fd)
    reader.kill('SIGKILL')
    await expectAnswers(gateway)
    await expectAnswers(gateway)
    await expectToStop(gateway)
  })

  test('when standard output is closed', TIMEOUT, async () => {
    const gateway = await startWritingTo('>&-')
    await expectAnswers(gateway)
    await expectToStop(gateway)
  })
})
