import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { DashboardSources } from '../../src/control-plane/admin/dashboard/serve-dashboard.ts'
import { sqliteEngine } from '../../src/control-plane/store/sqlite-engine.ts'
import { usageStore } from '../../src/control-plane/usage/store/usage-store-on.ts'
import { knownUsage } from '../../src/control-plane/usage/stored-usage.ts'
import { NOTHING_SEEN, type UsageRow } from '../../src/control-plane/usage/usage.ts'
import { closeAll } from '../support/clean-up.ts'
import { crowdedDashboard } from '../support/crowded-dashboard.ts'
import { NOW, reference } from '../support/dashboard-sources.ts'
import { openDashboard } from '../support/open-dashboard.ts'
import { median } from './measure.ts'

type Print = (line: string) => void

const DAY_MS = 86_400_000
/** What a portion may have. */
const PORTION = 500
const TIMES = 9

const PAGES = [
  '/',
  '/?since=week',
  '/audit',
  '/traffic?minutes=180',
  '/traffic?operation=price',
  '/clients',
  '/clients?days=400',
  '/clients?client=7',
  '/clients/shop-7',
  '/clients.csv',
  '/brownouts',
  '/side-by-side',
  '/side-by-side/invoice-list',
  '/explain?operation=package',
  '/mappings',
  '/mappings/package',
  '/rollout',
  '/fleet',
  '/words',
]

/** Who calls: each client calls as many operations, on so many of the last 84 days. */
interface Crowd {
  readonly clients: number
  readonly operations: number
  readonly days: number
}

const CROWDS: readonly Crowd[] = [
  { clients: 40, operations: 14, days: 84 },
  { clients: 10_000, operations: 3, days: 14 },
]

/**
 * Measures each page of the dashboard: its bytes, and the median processor time of this process, which both asks and answers. Usage is in a
 * state file, and every operation has 18 differences. `read`: usage is read for each request. `shared`: it was read just before.
 */
export async function pages(print: Print): Promise<void> {
  for (const crowd of CROWDS) await measure(crowd, print)
}

async function measure({ clients, operations, days }: Crowd, print: Print): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'pages-'))
  const engine = sqliteEngine({ path: join(folder, 'state.db'), holder: 'bench' })
  const store = usageStore({ engine, process: 'bench', log: { warn: () => undefined } })
  const names = Array.from({ length: clients }, (_, at) => `shop-${at}`)
  let number = 0
  for (const rows of portions(usageOf(names, operations, days))) await store.add({ number: ++number, rows })
  const sources = crowdedDashboard(names)
  const known = (): DashboardSources['usage'] =>
    knownUsage({
      store,
      keeper: { between: (work) => work(), unstored: () => [] },
      examples: { of: () => undefined },
      now: () => NOW,
    })
  let usage = known()
  Object.defineProperty(sources, 'usage' satisfies keyof DashboardSources, { get: () => usage })
  const forget = (): void => {
    usage = known()
  }
  const { url } = await openDashboard(sources)
  print(
    `${clients} clients x ${operations} operations x ${days} days, 18 differences in each of ${reference.length} operations`,
  )
  print('  page                            kB   gzip kB   read ms  shared ms')
  for (const path of PAGES) print(`  ${await lineOf(url, path, forget)}`)
  await closeAll()
  engine.close()
  rmSync(folder, { recursive: true })
}

async function lineOf(url: string, path: string, forget: () => void): Promise<string> {
  const [read, shared]: [number[], number[]] = [[], []]
  let bytes = Buffer.alloc(0)
  const ask = async (): Promise<number> => {
    const before = process.cpuUsage()
    const answer = await fetch(url + path, { headers: { accept: 'text/html' } })
    bytes = Buffer.from(await answer.arrayBuffer())
    const { user, system } = process.cpuUsage(before)
    if (!answer.ok) throw new Error(`${path} answers ${answer.status}`)
    return (user + system) / 1_000
  }
  for (let time = 0; time < TIMES; time++) {
    forget()
    read.push(await ask())
    shared.push(await ask())
  }
  const kB = (size: number): string => (size / 1_000).toFixed(1).padStart(8)
  const ms = (all: readonly number[]): string => median(all).toFixed(1).padStart(8)
  return `${path.padEnd(26)}${kB(bytes.length)}  ${kB(gzipSync(bytes).length)}  ${ms(read)}   ${ms(shared)}`
}

/** Returns what each client called on each of its days, spread over the last 84. */
function* usageOf(names: readonly string[], operations: number, days: number): Iterable<UsageRow> {
  const step = 84 / days
  for (let day = days - 1; day >= 0; day--) {
    for (const [at, client] of names.entries()) {
      for (let nth = 0; nth < operations; nth++) {
        const lastAt = new Date(NOW - Math.floor(day * step) * DAY_MS - at * 100).toISOString()
        yield {
          ...{ day: lastAt.slice(0, 10), client, operation: reference[(at + nth) % reference.length]?.id ?? '' },
          ...{ calls: 20 + (at % 7), clientErrors: 1, serverErrors: 0, byV1: 5, byLegacy: 15 + (at % 7) },
          ...{ firstAt: lastAt, lastAt, agents: ['GuzzleHttp/7.9.2 curl/8.5.0 PHP/8.3.14'], seen: NOTHING_SEEN },
        }
      }
    }
  }
}

function* portions(rows: Iterable<UsageRow>): Iterable<readonly UsageRow[]> {
  let portion: UsageRow[] = []
  for (const row of rows) {
    portion.push(row)
    if (portion.length === PORTION) {
      yield portion
      portion = []
    }
  }
  if (portion.length > 0) yield portion
}
