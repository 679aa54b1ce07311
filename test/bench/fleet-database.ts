import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { evidenceDb } from '../../src/control-plane/evidence/tally/evidence-db.ts'
import { countPortions } from '../../src/control-plane/evidence/tally/portions.ts'
import { fleetWatch } from '../../src/control-plane/store/postgres/fleet-watch.ts'
import { openDatabase } from '../../src/control-plane/store/postgres/open-database.ts'
import { postgresEngine } from '../../src/control-plane/store/postgres/postgres-engine.ts'
import { expectationsFrom, lost } from '../control-plane/evidence/support/lines.ts'
import { criteriaOf, observe } from '../control-plane/evidence/support/observing.ts'
import { closeAll } from '../support/clean-up.ts'
import { isInstalled as hasPgbouncer, startPgbouncer } from '../support/pgbouncer.ts'
import { isInstalled, type PostgresServer, startPostgres } from '../support/postgres.ts'
import { median } from './measure.ts'
import { processorMsDuring } from './processor-of-server.ts'

const OPERATIONS = Array.from({ length: 15 }, (_, at) => `operation-${at}`)
const SECONDS = 60
const SETTLED_MS = 8_000
const IDLE_SECONDS = 10
const WARM_UP = 8
/** Exchanges of each operation that a replica compares in a second. */
const EXCHANGES = 3
const STATUS = { build: '0', mapping: 'm', rollout: null, position: null }

/**
 * Measures what gateways that share a database cost it: 15 operations, each with some differences, all of which change each
 * second at each replica, with a heartbeat each second and a flush as often as so many replicas do. Prints the processor time of all of the server's processes, and how long a flush takes.
 */
export async function fleetDatabase(print: (line: string) => void): Promise<void> {
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
  // Until then replicas find out whether notifications come through.
  await wait(SETTLED_MS)
  const idle = await processorMsDuring(server, IDLE_SECONDS)
  const flushes: number[] = []
  /** As often as `openPostgresStore` says for so many. */
  const everyMs = Math.max(1_000, count * 100)
  const flushInTurn = async (isOver: () => boolean): Promise<void> => {
    const one = async (replica: (typeof replicas)[number], at: number): Promise<void> => {
      await wait((everyMs * at) / count)
      for (let second = 0; !isOver(); second++) {
        const began = performance.now()
        replica.compare()
        await replica.beat()
        if (second % (everyMs / 1_000) === 0) flushes.push(await replica.flush())
        await wait(Math.max(0, 1_000 - (performance.now() - began)))
      }
    }
    await Promise.all(replicas.map(one))
  }
  await processorMsDuring(server, WARM_UP, flushInTurn)
  flushes.length = 0
  const used = await processorMsDuring(server, SECONDS, flushInTurn)
  const began = performance.now()
  await replicas[0]?.readAll()
  const readMs = performance.now() - began
  print(`${count} replicas, ${OPERATIONS.length} operations, ${SECONDS} s:`)
  print(`  processor time of the database: ${share(used)} % of a core`)
  print(`  (of open connections alone, with what they poll: ${share(idle, IDLE_SECONDS)} %)`)
  print(
    `  of a flush: ${(used / flushes.length).toFixed(2)} ms, and ${median(flushes).toFixed(1)} ms until it is stored (${flushes.length} flushes)`,
  )
  print(`  reading the results of all: ${readMs.toFixed(0)} ms`)
  const [size] = await server.query(
    `SELECT count(*)::int AS rows, pg_total_relation_size('${settings.schema}.ledger') / 1024 AS kib FROM ${settings.schema}.ledger`,
  )
  print(`  table ledger: ${size?.rows} rows, ${size?.kib} KiB`)
  for (const replica of replicas) await replica.close()
}

const share = (ms: number, seconds = SECONDS): string => (ms / (10 * seconds)).toFixed(1)

async function startReplica(settings: PostgresServer['settings'], at: number) {
  const lines = expectationsFrom([lost('gone', 'no more')])
  const portions = countPortions(
    () => criteriaOf(new Map(OPERATIONS.map((id) => [id, lines]))),
    (portion) => db.add(portion),
  )
  const database = openDatabase(settings)
  const { schema } = settings
  const start = { id: `replica-${at}`, incarnation: randomBytes(4).toString('hex') }
  const process = `${start.id} ${start.incarnation}`
  const engine = postgresEngine({ database, schema, holder: process })
  const fleet = fleetWatch({ engine, listen: database.listen, schema, process: start, tell: () => undefined })
  const db = evidenceDb(engine, process)
  await db.open()
  fleet.start()
  let row = 0
  const compare = (): void => {
    for (const operation of OPERATIONS) {
      for (let time = 0; time < EXCHANGES; time++, row++) {
        const control = { id: `${at}-${row}`, gone: 1, name: `name ${row % 7}`, price: row }
        const candidate =
          row % 5 === 0 ? { ...control, [`m${row % 11}`]: 1, price: '1' } : { ...control, gone: undefined }
        const seen = { operation, control: [control], candidate: [candidate], expectations: lines }
        portions.record(observe({ ...seen, input: `input ${row % 400}`, client: `client ${row % 40}`, at: new Date() }))
      }
    }
  }
  const flush = async (): Promise<number> => {
    const began = performance.now()
    // On a busy machine a flush may take too long; the next one sends the same portion again.
    await portions.send().catch(() => undefined)
    return performance.now() - began
  }
  compare()
  await flush()
  return {
    compare,
    flush,
    beat: () => fleet.beat(STATUS).catch(() => undefined),
    async readAll() {
      await db.changes()
    },
    close() {
      fleet.close()
      return engine.close(fleet.leave, 1_000)
    },
  }
}
