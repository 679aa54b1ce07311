import type { Database, Transaction } from '../../../state/postgres/database.ts'
import { type Beat, leave, livingReplicas, type Process, watchGone } from '../../../state/postgres/heartbeat.ts'
import { PostgresError } from '../../../state/postgres/postgres-error.ts'
import { endLeases, seekLease } from '../../../state/postgres/postgres-lease.ts'
import { migrate } from '../../../state/postgres/schema.ts'
import type { Replica, ReplicaStatus } from '../../../state/replicas.ts'
import { StateError } from '../../../state/state-error.ts'
import { lineageKey } from '../../lineage.ts'
import { agreed, type Clock } from '../clock-agreement.ts'
import type { Reset } from '../resets.ts'
import type { KeptCounts, StoreChange, ToKeep } from '../state-store.ts'
import { flush, type ToFlush } from './flush.ts'
import { foldGone } from './fold-gone.ts'
import { forgetOld } from './forget-old.ts'
import { OwnTally } from './own-tally.ts'
import { Sums } from './sum-rows.ts'
import { every, watchDecisions } from './watch-decisions.ts'

/** A `StateStore` in PostgreSQL, for a thread of its own. */
export interface PostgresDb {
  open(now: Date): Promise<{ readonly since: string; readonly clock: Clock }>
  read(after: KeptCounts | undefined): Promise<KeptCounts | undefined>
  keep(what: ToKeep, status: ReplicaStatus): Promise<StoreChange>
  resets(): Promise<readonly Reset[]>
  /** Runs statements of other rooms in a transaction, on their own tables in the same schema. */
  transaction: Database['transaction']
  query: Database['query']
  /** Returns the name under which this process holds leases. */
  holder(): string
  close(): Promise<void>
}

/** News that the store sends unasked. */
export type StoreNews =
  /** The replicas that are alive, and how far this process's clock is ahead of the database's; ms. */
  | { readonly replicas: readonly Replica[]; readonly clockOffsetMs: number }
  /** Another process decided something. */
  | { readonly decided: true }
  | { readonly warning: string }

interface PostgresDbOptions {
  readonly database: Database
  readonly schema: string
  /** The replica's id, unique among those that run. */
  readonly id: string
  /** Identifies this start of the process. */
  readonly start: string
  /** Increases with each thread of the process. */
  readonly thread: number
  readonly tell: (news: StoreNews) => void
}

/** How often to look for processes that are gone. */
const HOUSEKEEPING_MS = 10_000
const LEASE_S = 30
/** Heartbeats between two readings of the list of replicas: more if there are many, because each reads all. */
const listEvery = (replicas: number): number => Math.max(5, Math.ceil(replicas / 5))
/** How long requests are refused at once after a failure, so that they do not wait one by one for a database that hangs. */
const AWAY_MS = 1_000
/** How long a stop waits to say that this process is gone. */
const LEAVE_MS = 1_000

const LOST =
  'the database was restored from a backup, and other replicas took over the results of this process as of the backup: later ones are lost'

/** Stores results in PostgreSQL: each process writes what it found, and reads the sum of all. */
export function postgresDb({ database, schema, id, start, thread, tell }: PostgresDbOptions): PostgresDb {
  const own = new OwnTally()
  const sums = new Sums(database.name)
  const forget = forgetOld((warning) => tell({ warning }))
  const gone = watchGone(() => performance.now())
  const decisions = watchDecisions({
    database,
    schema,
    isPrepared: () => isPrepared,
    onDecided: () => tell({ decided: true }),
  })
  /** The number of incarnations whose rows were folded. */
  let life = 0
  let since: string | undefined
  /** Whether the tables are known to exist. */
  let isPrepared = false
  /** When the database failed last; ms, monotonic. */
  let failedAt = Number.NEGATIVE_INFINITY
  let isSettled = thread === 0
  let beatsToList = 0
  let clockOffsetMs = 0
  let reading: readonly KeptCounts[] = []
  let timers: readonly NodeJS.Timeout[] = []

  const current = (): Process => ({ id, incarnation: `${start}.${thread}.${life}` })
  /** Returns the name under which this process holds leases. */
  const holder = (): string => `${id} ${current().incarnation}`

  /** After a failure it is unknown whether the tables still exist. */
  const trying = async <Result>(work: Promise<Result>): Promise<Result> => {
    try {
      return await work
    } catch (error) {
      isPrepared = false
      if (error instanceof PostgresError) failedAt = performance.now()
      throw error
    }
  }
  const prepare = async (): Promise<string> => {
    // Newer gateways may have been started since this process was.
    await trying(migrate(database, schema, since !== undefined || thread > 0))
    const at = await trying(database.transaction((transaction) => begin(transaction, since)))
    isPrepared = true
    if (timers.length === 0) startTimers()
    return at
  }
  const prepareForOthers = async (): Promise<void> => {
    if (isPrepared) return
    if (performance.now() - failedAt < AWAY_MS) {
      throw new StateError(`${database.name} cannot be used: it has just failed`, true)
    }
    since = await prepare()
  }
  /** An earlier thread may have stored the portion that is sent again, and ended before it could confirm. */
  const settle = async (number: number): Promise<void> => {
    const stored = await trying(database.transaction((transaction) => storedBy(transaction, id, start)))
    own.skip(stored === number ? number : number - 1)
    isSettled = true
  }
  const store = async (what: ToFlush): Promise<Beat> => {
    const flushed = await trying(flush({ database, schema, process: current() }, own, what))
    if (!('folded' in flushed)) return flushed
    if (flushed.folded < own.acknowledged) tell({ warning: LOST })
    own.startOver(flushed.folded)
    life++
    return store(what)
  }
  const housekeep = async (): Promise<void> => {
    const wanted = { name: 'housekeeping', holder: holder(), seconds: LEASE_S }
    const lease = await seekLease(database, schema, wanted)
    if (lease === undefined) return
    try {
      await foldGone(database, lease, gone)
    } finally {
      await forget(database, lease)
    }
  }
  const goAway = async (transaction: Transaction): Promise<void> => {
    await leave(transaction, current())
    await endLeases(transaction, holder())
  }
  const startTimers = (): void => {
    timers = [decisions.start(), every(HOUSEKEEPING_MS, () => isPrepared, housekeep)]
  }

  return {
    async open(now) {
      since = await prepare()
      // Old results are deleted by the clock of the database.
      return { since, clock: agreed(now.getTime()) }
    },
    async read(after) {
      if (after === undefined) {
        reading = await trying(database.transaction((transaction) => sums.read(transaction), 'read'))
      }
      if (after === undefined) return reading[0]
      const at = reading.findIndex((one) => isSame(one, after))
      // Its thread ended meanwhile.
      if (at < 0) throw new StateError(`${database.name}: the results have to be read from the beginning`, true)
      return reading[at + 1]
    },
    async keep({ portion, resets = [] }, status) {
      if (!isPrepared) since = await prepare()
      if (!isSettled && portion !== undefined) await settle(portion.number)
      own.add(portion)
      const beat = await store({ resets, status: { ...status, clockOffsetMs } })
      clockOffsetMs = beat.offsetMs ?? clockOffsetMs
      if (resets.length > 0) decisions.stored()
      decisions.notice(beat.version)
      if (beatsToList-- <= 0) {
        const replicas = await trying(livingReplicas(database, schema))
        beatsToList = listEvery(replicas.length) - 1
        tell({ replicas, clockOffsetMs })
      }
      return 'same'
    },
    resets: () => trying(decisions.resets()),
    async transaction(work, kind) {
      await prepareForOthers()
      return trying(database.transaction(work, kind))
    },
    async query(text, values) {
      await prepareForOthers()
      return trying(database.query(text, values))
    },
    holder,
    async close() {
      for (const timer of timers) clearInterval(timer)
      const left = isPrepared ? database.transaction(goAway) : undefined
      await left?.catch(() => undefined)
      await database.close(LEAVE_MS)
    },
  }
}

const isSame = (one: KeptCounts, other: KeptCounts): boolean =>
  one.counts.operation === other.counts.operation && lineageKey(one.counts.lineage) === lineageKey(other.counts.lineage)

/** Returns when the results begin, ISO 8601. If that is not stored yet, stores `since`, or now by the database's clock. */
async function begin(transaction: Transaction, since: string | undefined): Promise<string> {
  await transaction.query(
    'INSERT INTO begun (at) VALUES (coalesce($1::timestamptz, clock_timestamp())) ON CONFLICT DO NOTHING',
    [since ?? null],
  )
  const [row] = await transaction.query<{ readonly ms: number }>(
    'SELECT round(extract(epoch FROM at) * 1000)::float8 AS ms FROM begun',
  )
  return new Date(row?.ms ?? Number.NaN).toISOString()
}

/** Returns the last portion that any thread of a process stored, even if its rows were folded since; 0: none. */
async function storedBy(transaction: Transaction, id: string, start: string): Promise<number> {
  const of = [id, `${start}.`]
  // Waits for the previous thread's last transaction, which may still be committing.
  await transaction.query('SELECT 1 FROM replica WHERE id = $1 AND starts_with(incarnation, $2) FOR UPDATE', of)
  const [row] = await transaction.query<{ readonly stored: number }>(
    `SELECT coalesce(max(stored), 0)::float8 AS stored FROM (
       SELECT id, incarnation, stored FROM replica UNION ALL SELECT id, incarnation, stored FROM folded) AS process
     WHERE id = $1 AND starts_with(incarnation, $2)`,
    of,
  )
  return row?.stored ?? 0
}
