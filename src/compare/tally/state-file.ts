import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { StateError } from './state-store.ts'

/** An open SQLite file. */
export interface StateFile {
  readonly db: DatabaseSync
  /** Whether something else, or nothing, is where it was opened. What was removed stays readable as long as it is open. */
  hasMoved(): boolean
  /** Does `work` in one transaction; what it throws undoes it. */
  change<T>(work: () => T): T
  close(): void
}

/** Raised when what is stored changes its form. */
const VERSION = 1
/** Longer locks are waited out between tries, in which nothing is blocked. */
const BUSY_MS = 200
/** Primary result codes of SQLite. */
const SQLITE_BUSY = 5
const SQLITE_LOCKED = 6
const SQLITE_FULL = 13

/** What is missing of a schema is added; a version that does not know of a table leaves it alone. */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS begun (at TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS counts (
    operation TEXT NOT NULL, day TEXT NOT NULL, counts TEXT NOT NULL, PRIMARY KEY (operation, day)) STRICT;
  CREATE TABLE IF NOT EXISTS writer (id TEXT PRIMARY KEY, stored INTEGER NOT NULL, day TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS clock (
    one INTEGER PRIMARY KEY CHECK (one = 1), seen_at REAL NOT NULL, agreed_ms REAL NOT NULL, leap_ms REAL NOT NULL) STRICT`

/**
 * Opens a state file that can be written, and makes one where there is none.
 * @param path of a file, or `:memory:`.
 * @throws StateError
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
  const version = Number(db.prepare('PRAGMA user_version').get()?.user_version)
  if (version > VERSION) throw new Error(`it is of version ${version}, and this gateway knows version ${VERSION}`)
  db.exec(SCHEMA)
  if (version < VERSION) db.exec(`PRAGMA user_version = ${VERSION}`)
  try {
    db.exec('BEGIN IMMEDIATE; ROLLBACK')
  } catch (error) {
    // A file that is read-only is found out now; one that is locked will be written later.
    if (!isBusy(error)) throw error
  }
}

function stateFile(path: string, db: DatabaseSync): StateFile {
  const opened = fileAt(path)
  return {
    db,
    hasMoved: () => opened !== undefined && fileAt(path) !== opened,
    change(work) {
      db.exec('BEGIN IMMEDIATE')
      try {
        const result = work()
        db.exec('COMMIT')
        return result
      } catch (error) {
        // SQLite has undone it by itself where the disk is full; then there is nothing to roll back.
        if (db.isTransaction) db.exec('ROLLBACK')
        throw error
      }
    },
    close: () => db.close(),
  }
}

/** Which file is there; undefined: none that can be seen. */
function fileAt(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path, { bigint: true })
    return `${dev} ${ino}`
  } catch {
    return undefined
  }
}

/** What failed, told with the reason that SQLite gives. */
export function toStateError(what: string, error: unknown): StateError {
  const reason = error instanceof Error ? error.message : String(error)
  return new StateError(`${what}: ${reason}`, isBusy(error), { cause: error })
}

const isBusy = (error: unknown): boolean => [SQLITE_BUSY, SQLITE_LOCKED].includes(codeOf(error))

/** Whether it is a lock or a full disk: the same file can be used again when that is over. */
export const passes = (error: unknown): boolean => isBusy(error) || codeOf(error) === SQLITE_FULL

/** Beyond the lowest byte the code only says more about it. */
const codeOf = (error: unknown): number =>
  error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0
