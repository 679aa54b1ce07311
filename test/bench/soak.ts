import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setInterval } from 'node:timers/promises'
import { type Call, send } from '../real/soak.ts'
import { closeAll } from '../support/clean-up.ts'
import { GOOD_BODIES } from '../support/good-bodies.ts'
import { startService } from '../support/service-process.ts'
import { freePort, listens } from './processes.ts'

const PER_SECOND = 300
const SECONDS = Number(process.env.BENCH_SECONDS ?? 600)
const SAMPLE_MS = 10_000
const RELOAD_MS = 5_000
const TICK_MS = 5

const body = (path: string): object => GOOD_BODIES[path]?.[0] ?? {}
const post = (path: string, sent = body(path)): Call => ['POST', path, sent]
const times = (count: number, call: Call): readonly Call[] => Array.from({ length: count }, () => call)

/** How often each operation comes: pages, kept lists, calculations, writes, refusals, and what is passed on. */
const MIX: readonly Call[] = [
  ...times(9, ['GET', '/country/all']),
  ...times(4, ['GET', '/api/unit/of/measure/all']),
  ...times(9, post('/api/invoice/list', { perPage: 25 })),
  ...times(1, post('/api/invoice/list', { perPage: 200 })),
  ...times(1, post('/api/invoice/list', { perPage: 500 })),
  ...times(5, post('/api/calculate/price')),
  ...times(3, post('/api/calculate/price/country/validate')),
  ...times(2, post('/api/consignment/package/advance')),
  ...times(1, post('/api/consignment/document')),
  ...times(2, post('/api/transaction/charge/list')),
  ...times(2, post('/api/invoice/list', { number: 'far too long for a number' })),
  ...times(1, post('/auth/application')),
]

/** What was seen of the gateway's process at one time. */
interface Sample {
  readonly bytes: number
  readonly descriptors: number
  /** p99 of the event loop's delay since the sample before; ms. */
  readonly lagMs: number
  /** p99 of the calls since the sample before; ms. */
  readonly p99: number
}

/**
 * Mixed operations at a steady rate for ten minutes (`BENCH_SECONDS`), while calls are compared with the legacy service and
 * recorded, results are stored, and the rollout file changes: failed calls, latencies, memory, descriptors, event loop.
 */
export async function soak(print: (line: string) => void): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'soak-'))
  try {
    const ports = new Set<number>()
    while (ports.size < 4) ports.add(await freePort())
    const [v1 = 0, legacy = 0, port = 0, adminPort = 0] = ports
    startService('sandbox', { SANDBOX_V1_PORT: `${v1}`, SANDBOX_LEGACY_PORT: `${legacy}` })
    await Promise.all([isUp(v1), isUp(legacy)])
    const rollout = join(folder, 'rollout.json')
    const roll = (shadow: number): void =>
      writeFileSync(rollout, JSON.stringify({ operations: { '*': { serve: 'v1', shadow } } }))
    roll(0.2)
    const gateway = startService('serve', {
      PORT: `${port}`,
      ADMIN_PORT: `${adminPort}`,
      V1_BASE_URL: `http://127.0.0.1:${v1}`,
      LEGACY_BASE_URL: `http://127.0.0.1:${legacy}`,
      TOKEN_KEY: Buffer.alloc(32, 7).toString('base64'),
      ROLLOUT_FILE: rollout,
      STATE_DB: join(folder, 'state.db'),
      RECORD_FILE: join(folder, 'traffic.ndjson'),
      LOG_LEVEL: 'info',
    })
    await Promise.all([isUp(port), isUp(adminPort)])
    const [url, adminUrl] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${adminPort}`]
    await load(print, { url, adminUrl, pid: gateway.child.pid ?? 0, roll })
    gateway.child.kill()
    print(`  stopped with ${await gateway.exit}`)
  } finally {
    await closeAll()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function isUp(port: number): Promise<void> {
  for await (const _ of setInterval(50)) if (await listens(port)) return
}

interface Loaded {
  readonly url: string
  readonly adminUrl: string
  readonly pid: number
  readonly roll: (shadow: number) => void
}

async function load(print: (line: string) => void, { url, adminUrl, pid, roll }: Loaded): Promise<void> {
  const agent = new Agent({ keepAlive: true })
  const { token } = JSON.parse((await send(url, agent, post('/auth/application'))).text) as { readonly token: string }
  const statuses = new Map<string, number>()
  const failures: string[] = []
  const samples: Sample[] = []
  let latencies: number[] = []
  let made = 0
  const underWay = new Set<Promise<void>>()
  const make = async (call: Call): Promise<void> => {
    const began = performance.now()
    try {
      const { status } = await send(url, agent, call, token)
      const outcome = `${call[1]} ${status}`
      statuses.set(outcome, (statuses.get(outcome) ?? 0) + 1)
      if (status >= 500) failures.push(outcome)
    } catch (error) {
      failures.push(`${call[1]}: ${String(error)}`)
    }
    latencies.push(performance.now() - began)
  }
  const began = performance.now()
  let sampled = began
  let rolled = began
  for await (const _ of setInterval(TICK_MS)) {
    const now = performance.now()
    if (now - began > SECONDS * 1_000) break
    while (made < ((now - began) / 1_000) * PER_SECOND) {
      // A stride that has no factor in common with their number takes all of them in turn, well mixed.
      const call = MIX[(made++ * 17) % MIX.length] as Call
      const ended = make(call).then(() => void underWay.delete(ended))
      underWay.add(ended)
    }
    if (now - rolled > RELOAD_MS) {
      rolled = now
      roll(Math.round((now - began) / RELOAD_MS) % 2 === 0 ? 0.2 : 0.3)
    }
    if (now - sampled > SAMPLE_MS) {
      sampled = now
      const seen = latencies
      latencies = []
      void sample(pid, adminUrl).then((one) => samples.push({ ...one, p99: quantile(seen, 0.99) }))
    }
  }
  await Promise.all(underWay)
  agent.destroy()
  print(`  ${made} calls in ${SECONDS} s: ${failures.length} failed ${[...new Set(failures)].slice(0, 5).join('; ')}`)
  print(`  ${[...statuses].map(([outcome, count]) => `${outcome}: ${count}`).join(', ')}`)
  const told = (name: string, unit: string, of: (one: Sample) => number): void => {
    const values = samples.map(of)
    const third = Math.ceil(values.length / 3)
    const means = [values.slice(0, third), values.slice(third, -third), values.slice(-third)].map(mean)
    const range = `${Math.min(...values).toFixed(1)} to ${Math.max(...values).toFixed(1)} ${unit}`
    print(`  ${name}: ${range}, thirds ${means.map((each) => each.toFixed(1)).join(', ')}`)
  }
  told('memory', 'MB', ({ bytes }) => bytes / 1e6)
  told('descriptors', '', ({ descriptors }) => descriptors)
  told('event loop delay, p99 of 10 s', 'ms', ({ lagMs }) => lagMs)
  told('calls, p99 of 10 s', 'ms', ({ p99 }) => p99)
}

async function sample(pid: number, adminUrl: string): Promise<Omit<Sample, 'p99'>> {
  const metrics = await (await fetch(`${adminUrl}/metrics`)).text()
  const lag = /^nodejs_eventloop_lag_p99_seconds ([\d.e+-]+)$/m.exec(metrics)?.[1]
  const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1])
  return { bytes: pages * 4_096, descriptors: readdirSync(`/proc/${pid}/fd`).length, lagMs: Number(lag) * 1_000 }
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0
