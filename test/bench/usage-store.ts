import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Engine } from '../../src/control-plane/store/engine.ts'
import { openDatabase } from '../../src/control-plane/store/postgres/open-database.ts'
import { postgresEngine } from '../../src/control-plane/store/postgres/postgres-engine.ts'
import { sqliteEngine } from '../../src/control-plane/store/sqlite-engine.ts'
import { IN_MEMORY, type UsageBounds, usageStore } from '../../src/control-plane/usage/store/usage-store-on.ts'
import { NOTHING_SEEN, type UsageRow } from '../../src/control-plane/usage/usage.ts'
import type { UsageStore } from '../../src/control-plane/usage/usage-store.ts'
import { isInstalled, startPostgres } from '../support/postgres.ts'

const DAYS = 30
const OPERATIONS = 5
const CLIENTS = Number(process.env.BENCH_CLIENTS ?? 100)
const DAY_MS = 86_400_000
/** What a portion may have. */
const PORTION = 500

const log = { warn: () => undefined }
type Print = (line: string) => void

/** Measures what it costs to store and to read usage: processor time of this process, which has no threads for it, and time. */
export async function usageStoreCost(print: Print): Promise<void> {
  print(
    `${CLIENTS} clients (BENCH_CLIENTS) x ${OPERATIONS} operations x ${DAYS} days; processor time of this process, and time`,
  )
  await inMemory(print)
  await inFile(print)
  if (isInstalled) await inDatabase(print)
  else print('PostgreSQL is not installed')
}

async function inMemory(print: Print): Promise<void> {
  const engine = sqliteEngine({ path: ':memory:', holder: 'bench' })
  await flushes('memory', storeOf(engine, IN_MEMORY), print)
  engine.close()
}

async function inFile(print: Print): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'usage-'))
  const file = join(folder, 'state.db')
  const engine = sqliteEngine({ path: file, holder: 'bench' })
  const usage = storeOf(engine)
  await flushes('SQLite', usage, print)
  await reads('SQLite', usage, print)
  engine.close()
  print(`SQLite: ${Math.round(statSync(file).size / (CLIENTS * OPERATIONS * DAYS))} bytes a row`)
  rmSync(folder, { recursive: true })
}

async function inDatabase(print: Print): Promise<void> {
  const server = await startPostgres()
  const { settings } = server
  const database = openDatabase(settings)
  const engine = postgresEngine({ database, schema: settings.schema, holder: 'bench' })
  await engine.statement('SELECT 1')
  const usage = storeOf(engine)
  await flushes('PostgreSQL', usage, print)
  await reads('PostgreSQL', usage, print)
  const [row] = await server.query(`SELECT pg_total_relation_size('${settings.schema}.usage') AS bytes`)
  print(`PostgreSQL: ${Math.round(Number(row?.bytes) / (CLIENTS * OPERATIONS * DAYS))} bytes a row`)
  await engine.close(function* () {}, 1_000)
  await server.stop()
}

const storeOf = (engine: Engine, bounds?: UsageBounds): UsageStore =>
  usageStore({ engine, process: 'bench', bounds, log })

/** Grows with each portion of the run. */
let number = 0

async function flushes(name: string, usage: UsageStore, print: Print): Promise<void> {
  const flush = () => usage.add({ number: ++number, rows: rowsFrom(0, Math.min(100, CLIENTS * OPERATIONS), 0) })
  for (let round = 0; round < 10; round++) await flush()
  const rounds = 30
  const { cpuMs, ms } = await costOf(async () => {
    for (let round = 0; round < rounds; round++) await flush()
  })
  print(`${name}: a flush of 100 rows ${said(cpuMs / rounds, ms / rounds)}`)
}

async function reads(name: string, usage: UsageStore, print: Print): Promise<void> {
  for (let days = DAYS - 1; days >= 0; days--) {
    for (let from = 0; from < CLIENTS * OPERATIONS; from += PORTION) {
      const rows = rowsFrom(from, Math.min(PORTION, CLIENTS * OPERATIONS - from), days)
      await usage.add({ number: ++number, rows })
    }
  }
  const ways = {
    [`${DAYS} days with what calls showed`]: () => usage.read({ since: dayAgo(DAYS - 1) }),
    [`${DAYS} days without`]: () => usage.read({ since: dayAgo(DAYS - 1), isSummary: true }),
    'one day without': () => usage.read({ since: dayAgo(0), isSummary: true }),
    weeks: () => usage.weeks(),
    [`${DAYS} days by day`]: () => drained(usage.days(dayAgo(DAYS - 1))),
  }
  for (const [what, read] of Object.entries(ways)) {
    await read()
    const { cpuMs, ms } = await costOf(read)
    print(`${name}: reading ${what} ${said(cpuMs, ms)}`)
  }
}

async function drained(pages: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of pages);
}

async function costOf(work: () => Promise<unknown>): Promise<{ readonly cpuMs: number; readonly ms: number }> {
  const cpu = process.cpuUsage()
  const began = performance.now()
  await work()
  const { user, system } = process.cpuUsage(cpu)
  return { cpuMs: (user + system) / 1_000, ms: performance.now() - began }
}

const said = (cpuMs: number, ms: number): string => `${cpuMs.toFixed(1)} ms of processor time, ${ms.toFixed(1)} ms`

const dayAgo = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10)
const marks = (name: string, many: number) =>
  Object.fromEntries(Array.from({ length: many }, (_, at) => [`${name}${at}`, 17]))
/** Names 18 members. */
const seen = {
  ...{ ...NOTHING_SEEN, calls: 20, members: marks('filter.member', 6), answered: marks('data.items.member', 12) },
  ...{ statuses: { 200: 17, '406 CARRIER_IS_NOT_FOUND': 3 }, languages: { tr: 20 } },
}

/** Returns so many rows of a day, by client and operation. */
function rowsFrom(from: number, many: number, days: number): readonly UsageRow[] {
  const at = new Date(Date.now() - days * DAY_MS).toISOString()
  return Array.from({ length: many }, (_, row) => ({
    ...{ day: at.slice(0, 10), client: `client ${Math.floor((from + row) / OPERATIONS)}` },
    ...{
      operation: `operation-${row % OPERATIONS}`,
      calls: 20,
      clientErrors: 3,
      serverErrors: 0,
      byV1: 20,
      byLegacy: 0,
    },
    ...{ firstAt: at, lastAt: at, agents: ['GuzzleHttp/7'], seen },
  }))
}
