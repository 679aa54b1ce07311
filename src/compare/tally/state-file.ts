import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import { DAY_MS } from '../../common/time.ts'
import { StateError } from '../../state/state-error.ts'
import { KINDS } from '../diff/difference.ts'
import { type Lineage, lineageKey } from '../lineage.ts'
import { NO_CIRCUMSTANCES } from './circumstances.ts'
import { NONE_DIFFERING } from './differing-units.ts'
import type { OperationCounts } from './operation-counts.ts'
import { sumOfCounts } from './operation-state.ts'

/** An open SQLite file. */
export interface StateFile {
  readonly db: DatabaseSync
  /** Whether another file, or none, is at the path now. A removed file stays readable while it is open. */
  hasMoved(): boolean
  /** Runs `work` in one transaction, which is rolled back if it throws. */
  change<T>(work: () => T): T
  /** Runs `work`, which only reads, on one snapshot. Waits for no lock. */
  look<T>(work: () => T): T
  close(): void
}

/** Incremented when the stored format changes. */
export const STATE_VERSION = 2
/** How long a statement blocks on a lock. Longer locks are waited out between attempts, without blocking. */
const BUSY_MS = 200
/** Primary result codes of SQLite. */
const SQLITE_BUSY = 5
const SQLITE_LOCKED = 6
const SQLITE_FULL = 13

/**
 * Missing tables are added; a version that does not know a table leaves it alone. No table ever gets another column, because older
 * versions write all columns that they know.
 */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS begun (at TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS counts (
    operation TEXT NOT NULL, lineage TEXT NOT NULL, day TEXT NOT NULL, counts TEXT NOT NULL,
    PRIMARY KEY (operation, lineage)) STRICT;
  CREATE TABLE IF NOT EXISTS writer (id TEXT PRIMARY KEY, stored INTEGER NOT NULL, day TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS clock (
    one INTEGER PRIMARY KEY CHECK (one = 1), seen_at REAL NOT NULL, agreed_ms REAL NOT NULL, leap_ms REAL NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS audit (
    id TEXT PRIMARY KEY, event TEXT NOT NULL, operation TEXT NOT NULL, at TEXT NOT NULL, "by" TEXT NOT NULL,
    "from" TEXT NOT NULL, "to" TEXT NOT NULL, why TEXT NOT NULL, lineage TEXT NOT NULL, requests INTEGER NOT NULL) STRICT;
  CREATE INDEX IF NOT EXISTS audit_by_time ON audit (at, id);
  CREATE TABLE IF NOT EXISTS audit_counts (id TEXT PRIMARY KEY, counts TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS position (
    operation TEXT PRIMARY KEY, version INTEGER NOT NULL, stage INTEGER NOT NULL, before INTEGER NOT NULL, doc TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS answered (
    replica TEXT NOT NULL, incarnation TEXT NOT NULL, operation TEXT NOT NULL, stage INTEGER NOT NULL, counts TEXT NOT NULL,
    seen_at TEXT NOT NULL, PRIMARY KEY (replica, incarnation, operation, stage)) STRICT;
  CREATE TABLE IF NOT EXISTS outbox (
    number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, operation TEXT NOT NULL, body TEXT NOT NULL,
    attempts INTEGER NOT NULL, created_at TEXT NOT NULL, due_at TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS moment (name TEXT PRIMARY KEY, at TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS lease (
    name TEXT PRIMARY KEY, holder TEXT NOT NULL, token INTEGER NOT NULL, until TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS usage (
    client TEXT NOT NULL, day INTEGER NOT NULL, operation TEXT NOT NULL, calls INTEGER NOT NULL, client_errors INTEGER NOT NULL,
    server_errors INTEGER NOT NULL, by_v1 INTEGER NOT NULL, by_legacy INTEGER NOT NULL, first_at TEXT NOT NULL, last_at TEXT NOT NULL,
    agents TEXT NOT NULL, doc TEXT NOT NULL, PRIMARY KEY (client, day, operation)) STRICT;
  CREATE INDEX IF NOT EXISTS usage_by_day ON usage (day);
  CREATE TABLE IF NOT EXISTS usage_day (day INTEGER PRIMARY KEY, clients INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS usage_last (operation TEXT PRIMARY KEY, at TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS usage_writer (
    process TEXT PRIMARY KEY, stored INTEGER NOT NULL, again TEXT NOT NULL, seen_at TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS usage_brownout (
    client TEXT NOT NULL, day INTEGER NOT NULL, brownout TEXT NOT NULL, refused INTEGER NOT NULL, passed INTEGER NOT NULL,
    since INTEGER NOT NULL, PRIMARY KEY (client, day, brownout)) STRICT;
  CREATE TABLE IF NOT EXISTS login (
    hash TEXT PRIMARY KEY, client TEXT NOT NULL, number INTEGER NOT NULL, at TEXT NOT NULL) STRICT;
  CREATE INDEX IF NOT EXISTS login_by_number ON login (number);
  CREATE TABLE IF NOT EXISTS login_count (one INTEGER PRIMARY KEY CHECK (one = 1), number INTEGER NOT NULL) STRICT`

/**
 * Opens a state file for writing; creates it if it does not exist.
 * @param path the path of a file, or `:memory:`.
 * @throws StateError if it cannot be opened or written.
 */
export function openStateFile(path: string): StateFile {
  let db: DatabaseSync | undefined
  try {
    db = new DatabaseSync(path)
    prepare(db)
    return stateFile(path, db)
  } catch (error) {
    db?.close()
    throw toStateError(`${path} cannot be used`, error)
  }
}

function prepare(db: DatabaseSync): void {
  db.exec(`PRAGMA busy_timeout = ${BUSY_MS}; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL`)
  const version = versionOf(db)
  if (version > STATE_VERSION)
    throw new Error(`it has version ${version}; this gateway reads up to version ${STATE_VERSION}`)
  if (version === 1) upgrade(db)
  db.exec(SCHEMA)
  if (version < STATE_VERSION) db.exec(`PRAGMA user_version = ${STATE_VERSION}`)
  try {
    db.exec('BEGIN IMMEDIATE; ROLLBACK')
  } catch (error) {
    // Only a lock is tolerated, because a locked file can be written later. A read-only file is found here.
    if (!isBusy(error)) throw error
  }
}

/** Upgrades a file of version 1, unless another process has just done so. Its results become an old lineage. */
function upgrade(db: DatabaseSync): void {
  db.exec('BEGIN IMMEDIATE')
  try {
    if (versionOf(db) === 1) {
      const rows = db.prepare('SELECT * FROM counts').all()
      db.exec(`DROP TABLE counts; ${SCHEMA}`)
      const insert = db.prepare('INSERT INTO counts VALUES (?, ?, ?, ?)')
      for (const { operation, lineage, day, counts } of upgradedFrom1(rows)) insert.run(operation, lineage, day, counts)
      db.exec(`PRAGMA user_version = ${STATE_VERSION}`)
    }
    db.exec('COMMIT')
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}

const versionOf = (db: DatabaseSync): number => Number(db.prepare('PRAGMA user_version').get()?.user_version)

function stateFile(path: string, db: DatabaseSync): StateFile {
  const opened = fileAt(path)
  const within = <T>(begin: string, work: () => T): T => {
    db.exec(begin)
    try {
      const result = work()
      db.exec('COMMIT')
      return result
    } catch (error) {
      // On a full disk SQLite has already rolled back.
      if (db.isTransaction) db.exec('ROLLBACK')
      throw error
    }
  }
  return {
    db,
    hasMoved: () => opened !== undefined && fileAt(path) !== opened,
    change: (work) => within('BEGIN IMMEDIATE', work),
    look: (work) => within('BEGIN', work),
    close: () => db.close(),
  }
}

/** Returns a text that identifies the file at a path; undefined: there is no file, or it cannot be examined. */
function fileAt(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path, { bigint: true })
    return `${dev} ${ino}`
  } catch {
    return undefined
  }
}

/** Returns a StateError that says what failed, with SQLite's reason. */
export function toStateError(what: string, error: unknown): StateError {
  const reason = error instanceof Error ? error.message : String(error)
  return new StateError(`${what}: ${reason}`, isBusy(error), { cause: error })
}

const isBusy = (error: unknown): boolean => [SQLITE_BUSY, SQLITE_LOCKED].includes(codeOf(error))

/** Whether the error is a lock or a full disk, after which the same open file can be used again. */
export const isTemporary = (error: unknown): boolean => isBusy(error) || codeOf(error) === SQLITE_FULL

/** Returns SQLite's primary result code: the lowest byte of the extended one. */
const codeOf = (error: unknown): number =>
  error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0

const count = z.int().nonnegative()

/** The parts of the counts of version 1 that are still read. */
const countsOf1 = z.object({
  ...{ operation: z.string(), matched: count, failed: count, skipped: count, unlisted: count },
  classes: z.array(
    z.object({
      ...{ part: z.enum(['status', 'answer', 'error']), kind: z.enum(KINDS), path: z.string(), requests: count, count },
      ...{ details: z.record(z.string(), count), lines: z.array(count) },
    }),
  ),
  patterns: z.array(z.object({ classes: z.array(count), requests: count })),
  settled: z.object({ ignored: count, mismatched: count }),
  inputs: z.array(count),
  assumptions: z.array(
    z.object({ part: z.string(), legacy: z.string(), change: z.string(), matched: count, differed: count }),
  ),
})

/** Version 1 had no lineages, and nothing that proves a match today, so all its results are one old lineage. */
const VERSION_1: Lineage = { mapping: 'version 1', v1: null, legacy: null }

/** Converts rows of version 1, which had one row per day, to version 2. Leaves out rows that cannot be read. */
function upgradedFrom1(rows: readonly Readonly<Record<string, unknown>>[]) {
  const sums = new Map<string, { day: string; counts: OperationCounts }>()
  for (const row of rows) {
    const day = String(row.day)
    const counts = upgraded(String(row.counts), day)
    if (counts === undefined) continue
    const before = sums.get(counts.operation)
    sums.set(counts.operation, {
      day: before === undefined || day > before.day ? day : before.day,
      counts: sumOfCounts(before === undefined ? [counts] : [before.counts, counts]),
    })
  }
  return Array.from(sums, ([operation, { day, counts }]) => ({
    ...{ operation, lineage: lineageKey(VERSION_1), day, counts: JSON.stringify(counts) },
  }))
}

function upgraded(json: string, day: string): OperationCounts | undefined {
  const { data } = countsOf1.safeParse(parsed(json))
  if (data === undefined) return undefined
  const { matched, settled, classes, patterns, ...others } = data
  const since = Date.parse(day)
  const none = { matched: 0, ignored: 0, mismatched: 0 }
  return {
    ...others,
    lineage: VERSION_1,
    ...{ unjudged: {}, skips: {}, notDrawn: 0, refusals: 0, unitCalls: 0, lists: [] },
    judged: { content: { matched, ...settled }, empty: none, error: none },
    classes: classes.map((one) => ({ ...one, drift: 0, since: null, until: null, clients: [] })),
    patterns: patterns.map((pattern) => ({ ...pattern, stratum: 'content', ignored: false })),
    ...{
      ...NONE_DIFFERING,
      units: [],
      clients: [],
      durations: { control: [], candidate: [] },
      coverage: [],
      notSent: [],
      circumstances: NO_CIRCUMSTANCES,
    },
    ...{ roundTrips: 0, droppedMembers: {} },
    ...(Number.isNaN(since) ? { since: null, until: null } : { since, until: since + DAY_MS - 1 }),
  }
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
