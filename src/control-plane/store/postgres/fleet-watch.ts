import type { Engine } from '../engine.ts'
import type { Replica, ReplicaStatus } from '../replicas.ts'
import type { Kept } from '../retention.ts'
import { query, type Work } from '../sql.ts'
import type { Database } from './database.ts'

/** Identifies a process. */
export interface Process {
  readonly id: string
  /** New at each start. */
  readonly incarnation: string
}

/** News of the other replicas. */
export type FleetNews =
  /** The replicas that are alive, and how far this process's clock is ahead of the database's; ms. */
  | { readonly replicas: readonly Replica[]; readonly clockOffsetMs: number }
  /** Another process decided something. */
  | { readonly decided: true }

/** Tells other replicas that this process is alive, and learns of them and of what they decide. */
export interface FleetWatch {
  /** Tells and learns, once a second. @throws StateError */
  beat(status: ReplicaStatus): Promise<void>
  /** Begins to listen for decisions between heartbeats, and polls for them if notifications do not come through. */
  start(): void
  /** Says that this process stops. */
  leave(): Work<void>
  close(): void
}

export interface FleetWatchOptions {
  readonly engine: Pick<Engine, 'statement'> & { isPrepared(): boolean }
  readonly listen: Database['listen']
  readonly schema: string
  readonly process: Process
  readonly tell: (news: FleetNews) => void
}

/** Replicas that did not stop in good order leave a row. */
export const KEPT_REPLICAS: Kept = { table: 'replica', key: 'id, incarnation', column: 'seen_at', days: 1 }

/** A replica that has not been seen for this long is gone. A heartbeat far in the future dates from before the clock was set back. */
const ALIVE = 'abs(extract(epoch FROM clock_timestamp() - seen_at)) <= 10'
/** Heartbeats between two readings of the list of replicas: more if there are many, because each reads all. */
const listEvery = (replicas: number): number => Math.max(5, Math.ceil(replicas / 5))
/** An answer that took longer says nothing about the clock. */
const MEASURED_WITHIN_MS = 1_000
const POLL_MS = 500
/** How often to test whether notifications come through, because a pooler holds them back. */
const MOST_ASKED = 10
/** How many notifications in a row prove that they come through: a single one may slip through a pooler. */
const HEARD = 3

const BEAT = `
  INSERT INTO $schema.replica (id, incarnation, started_at, seen_at, build, mapping, rollout, position, clock_offset_ms)
  VALUES ($1, $2, clock_timestamp(), clock_timestamp(), $3, $4, $5, $6, $7)
  ON CONFLICT (id, incarnation) DO UPDATE SET
    seen_at = excluded.seen_at, build = excluded.build, mapping = excluded.mapping, rollout = excluded.rollout,
    position = excluded.position, clock_offset_ms = excluded.clock_offset_ms
  RETURNING round(extract(epoch FROM seen_at) * 1000)::float8 AS now_ms, (SELECT version::text FROM $schema.change) AS version`

const LIST = `
  SELECT id, incarnation, build, mapping, rollout, position, clock_offset_ms,
    round(extract(epoch FROM started_at) * 1000)::float8 AS started_ms, round(extract(epoch FROM seen_at) * 1000)::float8 AS seen_ms
  FROM $schema.replica WHERE ${ALIVE} ORDER BY id, incarnation`

type BeatRow = { readonly now_ms: number; readonly version: string }
type ReplicaRow = Pick<Replica, 'id' | 'incarnation' | 'build' | 'mapping' | 'rollout'> &
  Readonly<Record<'started_ms' | 'seen_ms' | 'clock_offset_ms', number>> & { readonly position: string | null }

export function fleetWatch({ engine, listen, schema, process, tell }: FleetWatchOptions): FleetWatch {
  const { id, incarnation } = process
  let version: string | undefined
  let noticedAt = 0
  let asked = 0
  /** Whether a notification came since the last test, and after how many tests in a row one came. */
  let isHeard = false
  let heard = 0
  let beatsToList = 0
  let clockOffsetMs = 0
  let timer: NodeJS.Timeout | undefined
  let isAtIt = false

  const notice = (newest: string | undefined): void => {
    noticedAt = performance.now()
    if (newest === undefined || newest === version) return
    const isFirst = version === undefined
    version = newest
    if (!isFirst) tell({ decided: true })
  }
  const poll = async (): Promise<void> => {
    const [row] = await engine.statement('SELECT version::text FROM $schema.change')
    notice(row?.version as string | undefined)
  }
  const pollIfDue = async (): Promise<void> => {
    heard = isHeard ? heard + 1 : 0
    if (heard >= HEARD) return
    isHeard = false
    if (asked++ < MOST_ASKED) await engine.statement('SELECT pg_notify($1, $2)', schema, '')
    if (performance.now() - noticedAt > POLL_MS * 0.9) await poll()
  }
  /** Ignores failures: the next heartbeat reports them. */
  const attempt = async (): Promise<void> => {
    if (isAtIt || !engine.isPrepared()) return
    isAtIt = true
    await pollIfDue().catch(() => undefined)
    isAtIt = false
  }
  return {
    async beat({ build, mapping, rollout, position }) {
      const said = [build, mapping, rollout, position === null ? null : JSON.stringify(position), clockOffsetMs]
      const sentAt = Date.now()
      const [row] = (await engine.statement(BEAT, id, incarnation, ...said)) as unknown as readonly BeatRow[]
      const answeredAt = Date.now()
      if (row !== undefined && answeredAt - sentAt < MEASURED_WITHIN_MS) {
        clockOffsetMs = Math.round((sentAt + answeredAt) / 2 - row.now_ms)
      }
      notice(row?.version)
      if (beatsToList-- > 0) return
      const replicas = ((await engine.statement(LIST)) as unknown as readonly ReplicaRow[]).map(replicaIn)
      beatsToList = listEvery(replicas.length) - 1
      tell({ replicas, clockOffsetMs })
    },
    start() {
      if (timer !== undefined) return
      listen(schema, () => {
        isHeard = true
        poll().catch(() => undefined)
      })
      timer = setInterval(attempt, POLL_MS).unref()
    },
    *leave() {
      yield* query('DELETE FROM replica WHERE id = $1 AND incarnation = $2', id, incarnation)
    },
    close: () => clearInterval(timer),
  }
}

const replicaIn = ({ started_ms, seen_ms, clock_offset_ms, position, ...row }: ReplicaRow): Replica => ({
  ...row,
  position: position === null ? null : JSON.parse(position),
  startedAt: new Date(started_ms).toISOString(),
  seenAt: new Date(seen_ms).toISOString(),
  clockOffsetMs: clock_offset_ms,
})
