import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setInterval, setTimeout as wait } from 'node:timers/promises'
import { makeCertificates } from '../real/certificates.ts'
import { proxies } from '../real/proxies.ts'
import { type Call, send } from '../real/soak.ts'
import { closeAll } from '../support/clean-up.ts'
import { GOOD_BODIES } from '../support/good-bodies.ts'
import { startService } from '../support/service-process.ts'
import type { MemoryFigures } from './memory-watch.ts'
import { freePort, listens } from './processes.ts'

const PER_SECOND = Number(process.env.BENCH_RATE ?? 300)
const SECONDS = Number(process.env.BENCH_SECONDS ?? 600)
/** The share of calls that is compared; undefined: 0.2 and 0.3 in turn. */
const SHADOW = process.env.BENCH_SHADOW === undefined ? undefined : Number(process.env.BENCH_SHADOW)
const SAMPLE_MS = 10_000
const RELOAD_MS = 5_000
const TICK_MS = 5
/** On a machine that is too slow for the rate, calls are left out rather than piled up. */
const MOST_UNDER_WAY = 64
/** When the memory that is really held is sampled. By the first time, everything that is kept from the start exists. */
const SETTLED_AFTER_S = [SECONDS / 5, (SECONDS * 3) / 5]
/** How long to wait for comparisons that are left when the calls end. */
const QUEUE_MS = 60_000

const body = (path: string): object => GOOD_BODIES[path]?.[0] ?? {}
const post = (path: string, sent = body(path)): Call => ['POST', path, sent]
const times = (count: number, call: Call): readonly Call[] => Array.from({ length: count }, () => call)

/**
 * How often each operation is called: pages, kept lists, calculations, writes, refusals, and calls that are passed on.
 */
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

/** A sample of the gateway's process. */
interface Sample extends MemoryFigures {
  readonly descriptors: number
  /** Connections to v1, including idle ones. */
  readonly connections: number
  /** p99 of the event loop's delay since the sample before; ms. */
  readonly lagMs: number
  /** p99 of the calls since the sample before; ms. */
  readonly p99: number
}

/**
 * Runs mixed operations at a steady rate (`BENCH_RATE`, 300 a second) for ten minutes (`BENCH_SECONDS`), while calls
 * are compared with the legacy service and recorded, results are stored, and the rollout file changes. Reports failed
 * calls, writes not done exactly once, latencies, memory, descriptors, connections, event loop. `BENCH_SHADOW` compares that share of all calls; someone
 * opens all pages in turn meanwhile. With `BENCH_TLS`
 * (nginx, haproxy, caddy or apache) both services are behind that proxy, which uses TLS and offers HTTP/2.
 */
export async function soak(print: (line: string) => void): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'soak-'))
  try {
    const ports = new Set<number>()
    while (ports.size < 5) ports.add(await freePort())
    const [v1Port = 0, legacyPort = 0, port = 0, adminPort = 0, watchPort = 0] = ports
    const shipments = join(folder, 'sandbox.db')
    const faces = { SANDBOX_V1_PORT: `${v1Port}`, SANDBOX_LEGACY_PORT: `${legacyPort}`, SANDBOX_DB: shipments }
    const sandbox = startService('sandbox', faces)
    await Promise.all([isUp(v1Port), isUp(legacyPort)])
    const services = await reached(`http://127.0.0.1:${v1Port}`, `http://127.0.0.1:${legacyPort}`)
    const rollout = join(folder, 'rollout.json')
    const roll = (shadow: number): void =>
      writeFileSync(rollout, JSON.stringify({ operations: { '*': { serve: 'v1', shadow: SHADOW ?? shadow } } }))
    roll(0.2)
    const gateway = startService('serve', {
      ...services,
      PORT: `${port}`,
      ADMIN_PORT: `${adminPort}`,
      TOKEN_KEY: Buffer.alloc(32, 7).toString('base64'),
      ROLLOUT_FILE: rollout,
      STATE_DB: join(folder, 'state.db'),
      RECORD_FILE: join(folder, 'traffic.ndjson'),
      LOG_LEVEL: 'info',
      NODE_OPTIONS: `--import ${new URL('memory-watch.ts', import.meta.url).href}`,
      WATCH_PORT: `${watchPort}`,
    })
    await Promise.all([isUp(port), isUp(adminPort), isUp(watchPort)])
    const writes = await load(print, {
      ...{ url: `http://127.0.0.1:${port}`, adminUrl: `http://127.0.0.1:${adminPort}`, roll },
      watchUrl: `http://127.0.0.1:${watchPort}`,
      ...{ pid: gateway.child.pid ?? 0, v1Port: Number(new URL(services.V1_BASE_URL).port) },
    })
    gateway.child.kill()
    print(`  stopped with ${await gateway.exit}`)
    sandbox.child.kill()
    await sandbox.exit
    tellWrites(print, writes, doneIn(shipments))
  } finally {
    await closeAll()
    rmSync(folder, { recursive: true, force: true })
  }
}

type Reached = { readonly V1_BASE_URL: string; readonly LEGACY_BASE_URL: string } & Readonly<Record<string, string>>

/** How the gateway reaches the services: directly, or behind the proxy that `BENCH_TLS` names. */
async function reached(v1: string, legacy: string): Promise<Reached> {
  const wanted = process.env.BENCH_TLS
  if (wanted === undefined) return { V1_BASE_URL: v1, LEGACY_BASE_URL: legacy }
  const proxy = proxies.find(({ name }) => name.toLowerCase() === wanted)
  if (proxy?.isInstalled !== true) throw new Error(`BENCH_TLS: ${wanted} is not installed, or not known`)
  const { ca, server: tls } = makeCertificates()
  const [before, beforeLegacy] = [await proxy.start(v1, { tls }), await proxy.start(legacy, { tls })]
  return { V1_BASE_URL: before.url, LEGACY_BASE_URL: beforeLegacy.url, V1_CA: ca, LEGACY_CA: ca }
}

async function isUp(port: number): Promise<void> {
  for await (const _ of setInterval(50)) if (await listens(port)) return
}

interface Loaded {
  readonly url: string
  readonly adminUrl: string
  readonly watchUrl: string
  readonly pid: number
  readonly v1Port: number
  readonly roll: (shadow: number) => void
}

/** The marks of the writes that were sent, and whether each was answered with success. */
type Writes = ReadonlyMap<string, boolean>

async function load(print: (line: string) => void, gateway: Loaded): Promise<Writes> {
  const { url, roll } = gateway
  const agent = new Agent({ keepAlive: true })
  const { token } = JSON.parse((await send(url, agent, post('/auth/application'))).text) as { readonly token: string }
  const statuses = new Map<string, number>()
  const failures: string[] = []
  const writes = new Map<string, boolean>()
  const samples: Sample[] = []
  let latencies: number[] = []
  let made = 0
  let due = 0
  const underWay = new Set<Promise<void>>()
  const make = async (number: number): Promise<void> => {
    // A stride that is coprime to their number visits all of them, well mixed.
    const listed = MIX[(number * 17) % MIX.length] as Call
    const [method, path, sent] = listed
    const mark = path.includes('/consignment/') ? `soak-${number}` : undefined
    const call: Call = mark === undefined ? listed : [method, path, { ...sent, referenceNumbers: [mark] }]
    const began = performance.now()
    try {
      if (mark !== undefined) writes.set(mark, false)
      const { status } = await send(url, agent, call, token)
      if (mark !== undefined) writes.set(mark, status === 200)
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
  const settled: (readonly [when: string, MemoryFigures])[] = []
  const toSettle = [...SETTLED_AFTER_S]
  let settling: Promise<void> | undefined
  let isOver = false
  const opening = openPages(gateway.adminUrl, () => isOver)
  for await (const _ of setInterval(TICK_MS)) {
    const now = performance.now()
    if (now - began > SECONDS * 1_000) break
    for (; due < ((now - began) / 1_000) * PER_SECOND; due++) {
      if (underWay.size >= MOST_UNDER_WAY) continue
      const ended = make(made++).then(() => void underWay.delete(ended))
      underWay.add(ended)
    }
    if (now - rolled > RELOAD_MS) {
      rolled = now
      roll(Math.round((now - began) / RELOAD_MS) % 2 === 0 ? 0.2 : 0.3)
    }
    const [next = Number.POSITIVE_INFINITY] = toSettle
    if (now - began > next * 1_000) {
      toSettle.shift()
      settling = figuresOf(gateway.watchUrl, 'settled').then((figures) => {
        settled.push([`after ${next} s`, figures])
      })
    }
    if (now - sampled > SAMPLE_MS) {
      sampled = now
      const seen = latencies
      latencies = []
      void sample(gateway).then((one) => samples.push({ ...one, p99: quantile(seen, 0.99) }))
    }
  }
  await Promise.all(underWay)
  await settling
  isOver = true
  const { pages, ms } = await opening
  agent.destroy()
  await compared(gateway.adminUrl)
  const end = await figuresOf(gateway.watchUrl, 'settled')
  print(
    `  ${made} calls in ${SECONDS} s of ${due} that were due: ${failures.length} failed ${[...new Set(failures)].slice(0, 5).join('; ')}`,
  )
  print(`  ${[...statuses].map(([outcome, count]) => `${outcome}: ${count}`).join(', ')}`)
  const report = (name: string, unit: string, of: (one: Sample) => number): void => {
    const values = samples.map(of)
    const third = Math.ceil(values.length / 3)
    const means = [values.slice(0, third), values.slice(third, -third), values.slice(-third)].map(mean)
    const range = `${Math.min(...values).toFixed(1)} to ${Math.max(...values).toFixed(1)} ${unit}`
    print(`  ${name}: ${range}, thirds ${means.map((each) => each.toFixed(1)).join(', ')}`)
  }
  report('resident memory', 'MB', ({ rss }) => rss / 1e6)
  report('heap', 'MB', ({ heapUsed }) => heapUsed / 1e6)
  report('memory outside the heap', 'MB', ({ external }) => external / 1e6)
  report('descriptors', '', ({ descriptors }) => descriptors)
  report('connections to v1', '', ({ connections }) => connections)
  report('event loop delay, p99 of 10 s', 'ms', ({ lagMs }) => lagMs)
  report('calls, p99 of 10 s', 'ms', ({ p99 }) => p99)
  print(`  pages opened meanwhile: ${pages}, in at most ${ms.toFixed(0)} ms`)
  const { opened, resumed } = end
  print(`  connections opened to services: ${opened}, of which ${resumed} resumed a TLS session`)
  for (const [when, figures] of [...settled, ['at the end', end] as const]) tellSettled(print, when, figures)
  return writes
}

function tellSettled(print: (line: string) => void, when: string, { rss, heapUsed, external }: MemoryFigures): void {
  const [resident, heap, outside] = [rss, heapUsed, external].map((bytes) => (bytes / 1e6).toFixed(1))
  print(`  settled ${when}: ${resident} MB resident, ${heap} MB heap, ${outside} MB outside it`)
}

/** How often each marked write was done, read from v1's own store. */
function doneIn(file: string): ReadonlyMap<string, number> {
  const db = new DatabaseSync(file, { readOnly: true, timeout: 10_000 })
  const rows = db.prepare('SELECT referenceNumbers FROM shipments').all()
  db.close()
  const done = new Map<string, number>()
  for (const { referenceNumbers } of rows) {
    for (const mark of JSON.parse(String(referenceNumbers)) as string[]) done.set(mark, (done.get(mark) ?? 0) + 1)
  }
  return done
}

function tellWrites(print: (line: string) => void, writes: Writes, done: ReadonlyMap<string, number>): void {
  const count = (is: (times: number, isAnswered: boolean) => boolean): number =>
    [...writes].filter(([mark, isAnswered]) => is(done.get(mark) ?? 0, isAnswered)).length
  const once = count((times, isAnswered) => times === 1 && isAnswered)
  const lost = count((times, isAnswered) => times === 0 && isAnswered)
  const unanswered = count((times, isAnswered) => times > 0 && !isAnswered)
  const twice = count((times) => times > 1)
  print(`  writes: ${writes.size} sent, ${once} done once and answered, ${twice} done more than once,`)
  print(`    ${lost} answered but not done, ${unanswered} done but not answered`)
}

/** What someone opens in turn. */
const PAGES = [
  ...[
    '/',
    '/traffic',
    '/clients',
    '/side-by-side',
    '/mappings',
    '/rollout',
    '/fleet',
    '/audit',
    '/brownouts',
    '/explain',
  ],
  ...['/experiments', '/metrics', '/replicas', '/cutover', '/openapi.json', '/openapi-v1.json', '/postman.json'],
]

/** Opens all pages in turn, one every 100 ms. Returns how many it opened, and the longest time that one took; ms. */
async function openPages(
  adminUrl: string,
  isOver: () => boolean,
): Promise<{ readonly pages: number; readonly ms: number }> {
  let [pages, ms] = [0, 0]
  while (!isOver()) {
    const began = performance.now()
    const answer = await fetch(`${adminUrl}${PAGES[pages++ % PAGES.length]}`, { headers: { accept: 'text/html' } })
    await answer.arrayBuffer()
    if (!answer.ok) throw new Error(`${answer.url} answered ${answer.status}`)
    ms = Math.max(ms, performance.now() - began)
    await wait(100)
  }
  return { pages, ms }
}

async function sample({ pid, adminUrl, watchUrl, v1Port }: Loaded): Promise<Omit<Sample, 'p99'>> {
  const metrics = await (await fetch(`${adminUrl}/metrics`)).text()
  const lag = /^nodejs_eventloop_lag_p99_seconds ([\d.e+-]+)$/m.exec(metrics)?.[1]
  return {
    ...(await figuresOf(watchUrl)),
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    connections: connectionsTo(v1Port),
    lagMs: Number(lag) * 1_000,
  }
}

/** Waits until nothing is left to compare. */
async function compared(adminUrl: string): Promise<void> {
  const end = performance.now() + QUEUE_MS
  for await (const _ of setInterval(500)) {
    const { queue } = (await (await fetch(`${adminUrl}/experiments`)).json()) as {
      readonly queue: { readonly length: number; readonly running: number }
    }
    if (queue.length + queue.running === 0 || performance.now() > end) return
  }
}

const figuresOf = async (watchUrl: string, path = ''): Promise<MemoryFigures> =>
  (await (await fetch(`${watchUrl}/${path}`)).json()) as MemoryFigures

/** The established connections of this machine to one of its ports, counted at the client ends. Linux only. */
function connectionsTo(port: number): number {
  const end = `:${port.toString(16).toUpperCase().padStart(4, '0')} 01`
  return readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .filter((line) => line.slice(20).includes(end)).length
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0
