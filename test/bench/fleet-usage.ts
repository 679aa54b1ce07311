import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { openDatabase } from '../../src/control-plane/store/postgres/open-database.ts'
import { postgresEngine } from '../../src/control-plane/store/postgres/postgres-engine.ts'
import { usageStore } from '../../src/control-plane/usage/store/usage-store-on.ts'
import { NOTHING_SEEN, type UsageRow } from '../../src/control-plane/usage/usage.ts'
import { closeAll } from '../support/clean-up.ts'
import { isInstalled as hasPgbouncer, startPgbouncer } from '../support/pgbouncer.ts'
import { isInstalled, type PostgresServer, startPostgres } from '../support/postgres.ts'
import { median } from './measure.ts'
import { processorMsDuring } from './processor-of-server.ts'

const SECONDS = Number(process.env.BENCH_SECONDS ?? 20)
const WARM_UP = 5
/** A balancer gives each client to all replicas. */
const CLIENTS = 100
const OPERATIONS = 14
/** Rows that a replica stores each second. */
const ROWS = 20

/**
 * Measures what it costs a PostgreSQL database that gateways store what they counted of clients: each of 50 replicas stores
 * 20 rows a second, of the same 100 clients. Prints the processor time of the server's processes, and how long storing takes.
 */
export async function fleetUsage(print: (line: string) => void): Promise<void> {
  if (!isInstalled) return print('PostgreSQL is not installed')
  const server = await startPostgres({ settings: { max_connections: '120' } })
  try {
    for (const replicas of [1, 50]) await measure(server, server.settings, replicas, print)
    if (!hasPgbouncer) return
    print('through pgbouncer in transaction mode, with five connections to the database:')
    const pooler = await startPgbouncer(server, 'default_pool_size = 5\nmax_client_conn = 500')
    await measure(server, pooler.settings, 50, print)
  } finally {
    await closeAll()
  }
}

async function measure(
  server: PostgresServer,
  way: PostgresServer['settings'],
  count: number,
  print: (line: string) => void,
): Promise<void> {
  const settings = { ...way, schema: `s_${randomBytes(4).toString('hex')}` }
  const replicas: Awaited<ReturnType<typeof startReplica>>[] = []
  for (let at = 0; at < count; at++) replicas.push(await startReplica(settings, at))
  const took: number[] = []
  const storeEachSecond = async (isOver: () => boolean): Promise<void> => {
    const one = async (replica: (typeof replicas)[number], at: number): Promise<void> => {
      await wait((1_000 * at) / count)
      while (!isOver()) {
        const began = performance.now()
        await replica.store()
        took.push(performance.now() - began)
        await wait(Math.max(0, 1_000 - (performance.now() - began)))
      }
    }
    await Promise.all(replicas.map(one))
  }
  await processorMsDuring(server, WARM_UP, storeEachSecond)
  took.length = 0
  const used = await processorMsDuring(server, SECONDS, storeEachSecond)
  print(`${count} replicas, ${ROWS} rows each a second, ${SECONDS} s:`)
  print(`  processor time of the database: ${(used / (10 * SECONDS)).toFixed(1)} % of a core`)
  print(
    `  of a portion: ${(used / took.length).toFixed(2)} ms, and ${median(took).toFixed(1)} ms until it is stored, at most ${Math.max(...took).toFixed(0)} ms (${took.length} portions)`,
  )
  for (const replica of replicas) await replica.close()
}

async function startReplica(settings: PostgresServer['settings'], at: number) {
  const process = `replica-${at}`
  const database = openDatabase(settings)
  const engine = postgresEngine({ database, schema: settings.schema, holder: process })
  await engine.statement('SELECT 1')
  const usage = usageStore({ engine, process, log: { warn: () => undefined } })
  let number = 0
  return {
    async store() {
      number++
      await usage.add({ number, rows: rowsOf(at * 7 + number * 3) })
    },
    close: () => engine.close(function* () {}, 1_000),
  }
}

const marks = (name: string, many: number) =>
  Object.fromEntries(Array.from({ length: many }, (_, at) => [`${name}${at}`, 2]))
/** Names 18 members. */
const seen = {
  ...{ ...NOTHING_SEEN, calls: 2, members: marks('filter.member', 6), answered: marks('data.items.member', 12) },
  ...{ statuses: { 200: 2 }, languages: { tr: 2 } },
}

/** Returns rows of today, of different clients and operations. */
function rowsOf(from: number): readonly UsageRow[] {
  const at = new Date().toISOString()
  return Array.from({ length: ROWS }, (_, row) => ({
    ...{
      day: at.slice(0, 10),
      client: `client ${(from + row) % CLIENTS}`,
      operation: `operation-${(from + row) % OPERATIONS}`,
    },
    ...{ calls: 2, clientErrors: 0, serverErrors: 0, byV1: 2, byLegacy: 0 },
    ...{ firstAt: at, lastAt: at, agents: ['GuzzleHttp/7'], seen },
  }))
}
