import type { Database, Transaction } from '../../../state/postgres/database.ts'
import {
  type Beat,
  beat,
  foldedUpTo,
  leave,
  livingReplicas,
  type Process,
  register,
} from '../../../state/postgres/heartbeat.ts'
import { takeLease } from '../../../state/postgres/lease.ts'
import { migrate } from '../../../state/postgres/schema.ts'
import type { Replica, ReplicaStatus } from '../../../state/replicas.ts'
import { lineageKey } from '../../lineage.ts'
import { agreed, type Clock } from '../clock-agreement.ts'
import type { Reset } from '../resets.ts'
import type { KeptCounts, StoreChange, ToKeep } from '../state-store.ts'
import { addResets, readResets } from './audit-rows.ts'
import { foldGone } from './fold-gone.ts'
import { type ForgetOld, forgetOld } from './forget-old.ts'
import { type Changes, OwnTally } from './own-tally.ts'
import { deletePortions, writePortion } from './portion-rows.ts'
import { Sums } from './sum-rows.ts'
import { writeRows } from './tally-rows.ts'

/** A `StateStore` in PostgreSQL, for a thread of its own. */
export interface PostgresDb {
  open(now: Date): Promise<{ readonly since: string; readonly clock: Clock }>
  read(after: KeptCounts | undefined): Promise<KeptCounts | undefined>
  keep(what: ToKeep, status: ReplicaStatus): Promise<StoreChange>
  resets(): Promise<readonly Reset[]>
  close(): Promise<void>
}

/** What the store says without being asked. */
export type StoreNews =
  /** The replicas that are alive, and how far this process's clock is ahead of the database's; ms. */
  | { readonly replicas: readonly Replica[]; readonly clockOffsetMs: number }
  /** Another process decided something. */
  | { readonly decided: true }
  | { readonly warning: string }

/** A portion was stored. */
type Stored = Beat & {
  /** What was written to the rows; undefined: the portion alone was stored. */
  readonly written: Changes | undefined
  /** Undefined: this time nobody looked. */
  readonly replicas: readonly Replica[] | undefined
}

export interface PostgresDbOptions {
  readonly database: Database
  readonly schema: string
  /** Of the replica; unique among those that run. */
  readonly id: string
  /** New at each start of the process, and a number that grows with each thread of it. */
  readonly start: string
  readonly thread: number
  readonly tell: (news: StoreNews) => void
}

/** How often to look for decisions of others, where a notification does not come. */
const POLL_MS = 500
/** How often to look for processes that are gone. */
const HOUSEKEEPING_MS = 10_000
const LEASE_S = 30
/** The replicas are read with every second heartbeat. */
const LIST_EVERY = 2
/** How long a stop waits to say that this process is gone. */
const LEAVE_MS = 1_000

/** Stores results in PostgreSQL: each process writes its own rows, cumulative, and reads the sum of all. */
export function postgresDb({ database, schema, id, start, thread, tell }: PostgresDbOptions): PostgresDb {
  const own = new OwnTally()
  const sums = new Sums(database.name)
  const forget: ForgetOld = forgetOld((warning) => tell({ warning }))
  /** Counted up when the rows of the one before were folded. */
  let life = 0
  let since: string | undefined
  /** Whether the tables are known to be there. */
  let isPrepared = false
  let isSettled = thread === 0
  let beats = 0
  let clockOffsetMs = 0
  let version: string | undefined
  let noticedAt = 0
  let known: { readonly version: string; readonly resets: readonly Reset[] } | undefined
  let reading: readonly KeptCounts[] = []
  let timers: readonly NodeJS.Timeout[] = []

  const current = (): Process => ({ id, incarnation: `${start}.${thread}.${life}` })

  /** Runs a transaction. After a failure nobody knows whether the tables are still there. */
  const transact = async <Result>(
    work: (transaction: Transaction) => Promise<Result>,
    kind?: 'read',
  ): Promise<Result> => {
    try {
      return await database.transaction(work, kind)
    } catch (error) {
      isPrepared = false
      throw error
    }
  }
  const prepare = async (now: string): Promise<string> => {
    await migrate(database, schema, since !== undefined)
    const at = await transact((transaction) => begin(transaction, since ?? now))
    isPrepared = true
    return at
  }
  /** A thread before this one may have stored the portion that is sent again, and ended before it could say so. */
  const settle = async (number: number): Promise<void> => {
    const stored = await transact((transaction) => storedBy(transaction, id, start))
    own.skip(stored === number ? number : number - 1)
    isSettled = true
  }
  const store = async (
    transaction: Transaction,
    resets: readonly Reset[],
    status: ReplicaStatus,
  ): Promise<Stored | { readonly folded: number }> => {
    const process = current()
    const said = { ...status, clockOffsetMs }
    let found = await beat(transaction, process, own.number, said)
    if (found === undefined) {
      const folded = await foldedUpTo(transaction, process)
      if (folded !== undefined) return { folded }
      found = await register(transaction, process, own.number, said)
      own.distrust()
    } else if (found.stored !== own.number && found.stored !== own.acknowledged) own.distrust()
    const written = own.dueChanges()
    const portion = own.unacknowledged()
    if (written !== undefined) {
      await writeRows(transaction, process, written)
      await deletePortions(transaction, process)
    } else if (portion !== undefined && found.stored !== own.number) {
      await writePortion(transaction, process, own.number, portion)
    }
    if (await addResets(transaction, resets)) await announce(transaction, schema)
    return { ...found, written, replicas: beats % LIST_EVERY === 0 ? await livingReplicas(transaction) : undefined }
  }
  const housekeep = async (): Promise<void> => {
    const holder = `${id} ${current().incarnation}`
    const lease = await transact((transaction) =>
      takeLease(transaction, { name: 'housekeeping', holder, seconds: LEASE_S }),
    )
    if (lease === undefined) return
    await foldGone(database, lease)
    await forget(database, lease)
  }
  const poll = async (): Promise<void> => {
    const [row] = await database.statement<{ readonly version: string }>(`SELECT version::text FROM ${schema}.change`)
    notice(row?.version)
  }
  /** Heartbeats tell the version too. */
  const pollIfDue = async (): Promise<void> => {
    if (performance.now() - noticedAt > POLL_MS * 0.9) await poll()
  }
  const notice = (newest: string | undefined): void => {
    noticedAt = performance.now()
    if (newest === undefined || newest === version) return
    const isFirst = version === undefined
    version = newest
    if (!isFirst) tell({ decided: true })
  }
  /** Does something now and then, unless it is still at it. A failure shows when results are stored. */
  const every = (milliseconds: number, work: () => Promise<void>): NodeJS.Timeout => {
    let isAtIt = false
    return setInterval(() => {
      if (isAtIt || !isPrepared) return
      isAtIt = true
      work()
        .catch(() => undefined)
        .finally(() => {
          isAtIt = false
        })
    }, milliseconds).unref()
  }

  return {
    async open(now) {
      since = await prepare(now.toISOString())
      if (timers.length === 0) {
        timers = [every(POLL_MS, pollIfDue), every(HOUSEKEEPING_MS, housekeep)]
        database.listen(channelOf(schema), () => {
          poll().catch(() => undefined)
        })
      }
      // Old results are deleted by the clock of the database.
      return { since, clock: agreed(now.getTime()) }
    },
    async read(after) {
      if (after === undefined) reading = await transact((transaction) => sums.read(transaction), 'read')
      return after === undefined ? reading[0] : reading[reading.findIndex((one) => isSame(one, after)) + 1]
    },
    async keep({ portion, resets = [] }, status) {
      if (!isPrepared) since = await prepare(new Date().toISOString())
      if (!isSettled && portion !== undefined) await settle(portion.number)
      own.add(portion)
      const sentAt = Date.now()
      let found = await transact((transaction) => store(transaction, resets, status))
      if ('folded' in found) {
        own.startOver(found.folded)
        life++
        found = await transact((transaction) => store(transaction, resets, status))
      }
      if ('folded' in found) throw new Error('a new incarnation cannot have been folded')
      own.acknowledge(found.written)
      clockOffsetMs = Math.round((sentAt + Date.now()) / 2 - found.nowMs)
      notice(found.version)
      beats++
      if (found.replicas !== undefined) tell({ replicas: found.replicas, clockOffsetMs })
      return 'same'
    },
    async resets() {
      if (known === undefined || known.version !== version) {
        const asOf = version
        const resets = await transact(readResets, 'read')
        known = asOf === undefined ? undefined : { version: asOf, resets }
        return resets
      }
      return known.resets
    },
    async close() {
      for (const timer of timers) clearInterval(timer)
      if (isPrepared) await transact((transaction) => leave(transaction, current())).catch(() => undefined)
      await database.close(LEAVE_MS)
    },
  }
}

const isSame = (one: KeptCounts, other: KeptCounts): boolean =>
  one.counts.operation === other.counts.operation && lineageKey(one.counts.lineage) === lineageKey(other.counts.lineage)

/** Returns when the results begin; if nobody has said so yet, at `now`. */
async function begin(transaction: Transaction, now: string): Promise<string> {
  await transaction.query('INSERT INTO begun (at) VALUES ($1) ON CONFLICT DO NOTHING', [now])
  const [row] = await transaction.query<{ readonly ms: number }>(
    'SELECT extract(epoch FROM at)::float8 * 1000 AS ms FROM begun',
  )
  return new Date(row?.ms ?? now).toISOString()
}

/** Returns the last portion that any thread of a process stored, also if its rows were folded since; 0: none. */
async function storedBy(transaction: Transaction, id: string, start: string): Promise<number> {
  const [row] = await transaction.query<{ readonly stored: number }>(
    `SELECT coalesce(max(stored), 0)::float8 AS stored FROM (
       SELECT id, incarnation, stored FROM replica UNION ALL SELECT id, incarnation, stored FROM folded) AS process
     WHERE id = $1 AND starts_with(incarnation, $2)`,
    [id, `${start}.`],
  )
  return row?.stored ?? 0
}

const channelOf = (schema: string): string => `${schema}_change`

/** Makes other processes read the decisions again. */
async function announce(transaction: Transaction, schema: string): Promise<void> {
  await transaction.query('UPDATE change SET version = version + 1')
  await transaction.query('SELECT pg_notify($1, $2)', [channelOf(schema), ''])
}
