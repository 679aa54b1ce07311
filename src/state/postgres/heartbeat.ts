import { escapeIdentifier } from 'pg'
import type { Replica, ReplicaStatus } from '../replicas.ts'
import type { Database, Transaction } from './database.ts'

/** Identifies a process. */
export interface Process {
  readonly id: string
  readonly incarnation: string
}

/** A replica that has not been seen for this long is gone. */
const GONE_AFTER_S = 10

/** What a heartbeat finds. */
export interface Beat {
  /** The last portion of this process's results that the database had before. */
  readonly before: number
  /** How far this process's clock is ahead of the database's, in ms; undefined if the answer took too long to tell. */
  readonly offsetMs: number | undefined
  /** Grows with each decision of any process. */
  readonly version: string
}

type Said = ReplicaStatus & Pick<Replica, 'clockOffsetMs'>
type BeatRow = { readonly before: number; readonly now_ms: number; readonly version: string }

/** An answer that took longer says nothing about the clock. */
const MEASURED_WITHIN_MS = 1_000

/** Runs the statement of a heartbeat; undefined if the database does not know the process. Measures only the statement's own time. */
async function heartbeat(statement: () => Promise<readonly BeatRow[]>): Promise<Beat | undefined> {
  const sentAt = Date.now()
  const [row] = await statement()
  const answeredAt = Date.now()
  if (row === undefined) return undefined
  const isQuick = answeredAt - sentAt < MEASURED_WITHIN_MS
  return {
    ...{ before: row.before, version: row.version },
    offsetMs: isQuick ? Math.round((sentAt + answeredAt) / 2 - row.now_ms) : undefined,
  }
}

/** Returns the parameters of a heartbeat. @param stored the last portion that is stored with it. */
export const beatValues = (
  { id, incarnation }: Process,
  stored: number,
  { build, mapping, rollout, position, clockOffsetMs }: Said,
): readonly unknown[] => [
  ...[id, incarnation, stored, build, mapping, rollout],
  ...[position === null ? null : JSON.stringify(position), clockOffsetMs],
]

/**
 * Records that this process is alive and that portion `stored` is now stored; undefined if the database does not know the process.
 * @param portion stored with the heartbeat, and only once, however often it is sent.
 */
export function beat(
  transaction: Transaction,
  schema: string,
  values: readonly unknown[],
  portion: Buffer | null = null,
): Promise<Beat | undefined> {
  const text = `SELECT ${escapeIdentifier(schema)}.beat($1, $2, $3, $4, $5, $6, $7, $8, $9) AS said`
  return heartbeat(async () => {
    const [row] = await transaction.query<{ readonly said: string | null }>(text, [...values, portion])
    const [before, nowMs, version] = row?.said?.split(' ') ?? []
    return version === undefined ? [] : [{ before: Number(before), now_ms: Number(nowMs), version }]
  })
}

const REGISTER = `
  INSERT INTO replica (id, incarnation, started_at, seen_at, before, stored, build, mapping, rollout, position, clock_offset_ms)
  VALUES ($1, $2, clock_timestamp(), clock_timestamp(), 0, $3, $4, $5, $6, $7, $8)
  RETURNING before::float8, round(extract(epoch FROM seen_at) * 1000)::float8 AS now_ms, (SELECT version::text FROM change) AS version`

/** Records a process for the first time. */
export async function register(transaction: Transaction, values: readonly unknown[]): Promise<Beat> {
  const beat = await heartbeat(() => transaction.query<BeatRow>(REGISTER, values))
  return beat as Beat
}

/** Records that this process stops, so that its rows may be folded at once. */
export async function leave(transaction: Transaction, { id, incarnation }: Process): Promise<void> {
  await transaction.query('UPDATE replica SET left_at = clock_timestamp() WHERE id = $1 AND incarnation = $2', [
    id,
    incarnation,
  ])
}

/** A heartbeat far in the future dates from before the database's clock was set back, and does not count. */
const ALIVE = `left_at IS NULL AND abs(extract(epoch FROM clock_timestamp() - seen_at)) <= ${GONE_AFTER_S}`

type ReplicaRow = Omit<Replica, 'startedAt' | 'seenAt' | 'clockOffsetMs'> &
  Readonly<Record<'started_ms' | 'seen_ms' | 'clock_offset_ms', number>>

/** Returns the replicas that are alive, by id. */
export async function livingReplicas(database: Pick<Database, 'query'>, schema: string): Promise<readonly Replica[]> {
  const rows = await database.query<ReplicaRow>(`
    SELECT id, incarnation, build, mapping, rollout, position, clock_offset_ms,
      round(extract(epoch FROM started_at) * 1000)::float8 AS started_ms, round(extract(epoch FROM seen_at) * 1000)::float8 AS seen_ms
    FROM ${escapeIdentifier(schema)}.replica WHERE ${ALIVE} ORDER BY id, incarnation`)
  return rows.map(({ started_ms, seen_ms, clock_offset_ms, ...row }) => ({
    ...row,
    startedAt: new Date(started_ms).toISOString(),
    seenAt: new Date(seen_ms).toISOString(),
    clockOffsetMs: clock_offset_ms,
  }))
}

/** A process that is gone. */
interface Gone extends Process {
  readonly [column: string]: unknown
  /** Its last heartbeat, as a text. */
  readonly seen: string
  /** Whether it shut down cleanly. */
  readonly has_left: boolean
}

/** Returns the processes that are gone but have not been folded. */
export const goneProcesses = (transaction: Transaction): Promise<readonly Gone[]> =>
  transaction.query<Gone>(
    `SELECT id, incarnation, seen_at::text AS seen, left_at IS NOT NULL AS has_left
     FROM replica WHERE NOT (${ALIVE}) ORDER BY seen_at LIMIT 100`,
  )

/** Whether a process is gone. Locks its row, so that it cannot send a heartbeat before the transaction ends. */
export async function isGone(transaction: Transaction, { id, incarnation }: Process): Promise<boolean> {
  const rows = await transaction.query(
    `SELECT 1 FROM replica WHERE id = $1 AND incarnation = $2 AND NOT (${ALIVE}) FOR UPDATE`,
    [id, incarnation],
  )
  return rows.length === 1
}

/** Returns the last portion of a process that was folded; undefined if none was. */
export async function foldedUpTo(transaction: Transaction, { id, incarnation }: Process): Promise<number | undefined> {
  const [row] = await transaction.query<{ readonly stored: number }>(
    'SELECT stored::float8 FROM folded WHERE id = $1 AND incarnation = $2',
    [id, incarnation],
  )
  return row?.stored
}

/**
 * Finds out which processes are certainly gone. The stored times alone cannot say: after an outage or a restore of the database, all
 * processes seem gone until they have written again.
 */
export interface GoneWatch {
  /** Returns those that shut down cleanly, and those whose last heartbeat has stayed the same for ten seconds of watching. */
  certain(gone: readonly Gone[]): readonly Gone[]
}

/** @param monotonic in milliseconds. */
export function watchGone(monotonic: () => number): GoneWatch {
  /** Since when a process has been silent, by its last heartbeat. */
  let silent: ReadonlyMap<string, number> = new Map()
  return {
    certain(gone) {
      const now = monotonic()
      const keyOf = ({ id, incarnation, seen }: Gone): string => `${id} ${incarnation} ${seen}`
      silent = new Map(gone.map((one) => [keyOf(one), silent.get(keyOf(one)) ?? now]))
      return gone.filter((one) => one.has_left || now - (silent.get(keyOf(one)) ?? now) >= GONE_AFTER_S * 1000)
    },
  }
}
