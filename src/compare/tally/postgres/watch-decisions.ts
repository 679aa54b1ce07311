import { escapeIdentifier } from 'pg'
import type { Database } from '../../../state/postgres/database.ts'
import type { Reset } from '../resets.ts'
import { readResets } from './audit-rows.ts'

/** Follows the decisions of all processes. Each decision increases a version, which heartbeats report. */
interface Decisions {
  /** Called with the version that a heartbeat reported. */
  notice(version: string): void
  /** Called when this process has stored a decision itself, which the last heartbeat does not include. */
  stored(): void
  /** Returns the latest resets of each operation; asks the database only if there may be new ones. */
  resets(): Promise<readonly Reset[]>
  /** Begins to listen for decisions between heartbeats, and polls for them if notifications do not come through. */
  start(): NodeJS.Timeout
}

interface DecisionsOptions {
  readonly database: Database
  readonly schema: string
  /** Whether the tables exist. */
  readonly isPrepared: () => boolean
  /** Called when another process may have decided something. */
  readonly onDecided: () => void
}

const POLL_MS = 500
/** How often to test whether notifications come through, because a pooler holds them back. */
const MOST_ASKED = 10
/** How many notifications in a row prove that they come through: a single one may slip through a pooler. */
const HEARD = 3

export function watchDecisions({ database, schema, isPrepared, onDecided }: DecisionsOptions): Decisions {
  let version: string | undefined
  let noticedAt = 0
  let asked = 0
  /** Whether a notification came since the last test, and after how many tests in a row one came. */
  let isHeard = false
  let heard = 0
  let known: { readonly version: string; readonly resets: readonly Reset[] } | undefined

  const notice = (newest: string | undefined): void => {
    noticedAt = performance.now()
    if (newest === undefined || newest === version) return
    const isFirst = version === undefined
    version = newest
    if (!isFirst) onDecided()
  }
  const poll = async (): Promise<void> => {
    const [row] = await database.query<{ readonly version: string }>(
      `SELECT version::text FROM ${escapeIdentifier(schema)}.change`,
    )
    notice(row?.version)
  }
  const pollIfDue = async (): Promise<void> => {
    heard = isHeard ? heard + 1 : 0
    if (heard >= HEARD) return
    isHeard = false
    if (asked++ < MOST_ASKED) await database.query('SELECT pg_notify($1, $2)', [schema, ''])
    if (performance.now() - noticedAt > POLL_MS * 0.9) await poll()
  }
  return {
    notice,
    stored() {
      known = undefined
    },
    async resets() {
      if (known !== undefined && known.version === version) return known.resets
      const asOf = version
      const resets = await database.transaction(readResets, 'read')
      known = asOf === undefined ? undefined : { version: asOf, resets }
      return resets
    },
    start() {
      database.listen(schema, () => {
        isHeard = true
        poll().catch(() => undefined)
      })
      return every(POLL_MS, isPrepared, pollIfDue)
    },
  }
}

/**
 * Runs `work` in the background at an interval, unless it is still running or `may` returns false. Ignores failures: the next
 * attempt to store results reports them. The timer does not keep the process alive.
 */
export function every(milliseconds: number, may: () => boolean, work: () => Promise<void>): NodeJS.Timeout {
  let isAtIt = false
  const attempt = async (): Promise<void> => {
    if (isAtIt || !may()) return
    isAtIt = true
    await work().catch(() => undefined)
    isAtIt = false
  }
  return setInterval(attempt, milliseconds).unref()
}
