import { statSync } from 'node:fs'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { type Engine, fillTables, type Import } from './engine.ts'
import { endLeases, takeLease } from './lease.ts'
import { query, runAtOnce, type Work } from './sql.ts'
import { StateError } from './state-error.ts'
import { createTables, DROP_TABLES, SQLITE, TABLES_VERSION } from './state-tables.ts'

/** An `Engine` on a file of SQLite. Its statements run in the thread of the caller, which they block. */
export interface SqliteEngine extends Engine {
  /** Opens the file, if it is not open: creates it if it does not exist, and brings its tables up to date. */
  open(): void
  close(): void
}

export interface SqliteEngineOptions {
  /** The path of a file, or `:memory:`. */
  readonly path: string
  /** Identifies this process among those that use the file; new at each start. */
  readonly holder: string
  /** What to copy from the tables of earlier versions. */
  readonly imports?: readonly Import[]
  /** The clock of the store: all processes that use the file are on one machine. */
  readonly now?: () => Date
}

/** How long a statement waits for a lock. As long as that lock is held, later ones do not wait at all: they fail at once, and are tried again. */
const BUSY_MS = 200
/** After a gateway is killed and restarted, it takes no step of a plan for this long. */
const LEASE_MS = 5_000

export function sqliteEngine({
  path,
  holder,
  imports = [],
  now = () => new Date(),
}: SqliteEngineOptions): SqliteEngine {
  let db: DatabaseSync | undefined
  /** Which file it is, from the first time that it was opened. */
  let file: string | undefined
  let hasLease = false
  let busyMs = BUSY_MS

  const waitForLocks = (milliseconds: number): void => {
    if (milliseconds !== busyMs) db?.exec(`PRAGMA busy_timeout = ${milliseconds}`)
    busyMs = milliseconds
  }
  const opened = (): DatabaseSync => {
    if (file !== undefined && fileAt(path) !== file) {
      throw new StateError(
        `${path} was removed or replaced while it was in use: put it back, or restart the gateway to begin with what is there`,
        true,
      )
    }
    if (db === undefined) {
      db = openFile(path, imports, now(), busyMs)
      file ??= fileAt(path)
    }
    return db
  }
  const close = (): void => {
    db?.close()
    db = undefined
  }
  /** Makes each error say what failed. */
  const trying = <Result>(what: string, work: () => Result): Result => {
    try {
      return work()
    } catch (error) {
      // A full disk or a lock is temporary. Any other error may be due to the open file, so the file is opened again next time.
      if (!(error instanceof StateError || isTemporary(error))) close()
      const failure = toStateError(`${path} ${what}`, error)
      if (failure.isBusy) waitForLocks(0)
      throw failure
    }
  }
  const engine: SqliteEngine = {
    open: () => trying('cannot be used', () => void opened()),
    transaction: async (work, kind) =>
      trying(kind === 'read' ? 'cannot be read' : 'cannot be written', () => {
        const used = opened()
        const result = within(used, kind === 'read' ? 'BEGIN' : 'BEGIN IMMEDIATE', () => runOn(used, work(now())))
        if (kind === 'read') return result
        waitForLocks(BUSY_MS)
        // What was written into a file that nobody sees any more is written again.
        opened()
        return result
      }),
    statement: async (text, ...values) =>
      trying('cannot be read', () => runOn(opened(), query(text.replaceAll('$schema', 'main'), ...values))),
    async lease(name) {
      const lease = await engine.transaction((at) => takeLease({ name, holder, milliseconds: LEASE_MS }, at))
      hasLease ||= lease !== undefined
      return lease
    },
    // Other processes that use the file find out when they read it.
    *announce() {},
    shareLock: '',
    close() {
      // If this fails, the lease expires by itself.
      if (db !== undefined && hasLease) engine.transaction((at) => endLeases(holder, at)).catch(() => undefined)
      close()
    },
  }
  return engine
}

/** @throws StateError if it cannot be opened or written. */
function openFile(path: string, imports: readonly Import[], now: Date, busyMs: number): DatabaseSync {
  let db: DatabaseSync | undefined
  try {
    db = new DatabaseSync(path)
    db.exec(`PRAGMA busy_timeout = ${busyMs}; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL`)
    if (checkVersion(db) < TABLES_VERSION) migrate(db, imports, now)
    try {
      db.exec('PRAGMA busy_timeout = 0; BEGIN IMMEDIATE; ROLLBACK')
    } catch (error) {
      // Only a lock is tolerated, because a locked file can be written later. A read-only file is found here.
      if (!isBusy(error)) throw error
    }
    db.exec(`PRAGMA busy_timeout = ${busyMs}`)
    return db
  } catch (error) {
    db?.close()
    throw toStateError(`${path} cannot be used`, error)
  }
}

/**
 * Reads a file without changing it, even while a gateway uses it.
 * @throws StateError if it cannot be read.
 */
export function readFile<Result>(path: string, work: Work<Result>): Result {
  let db: DatabaseSync | undefined
  try {
    const opened = new DatabaseSync(path, { readOnly: true })
    db = opened
    const version = checkVersion(opened)
    if (version < TABLES_VERSION)
      throw new Error(`it has version ${version}, not ${TABLES_VERSION}: start a gateway with it first`)
    return within(opened, 'BEGIN', () => runOn(opened, work))
  } catch (error) {
    throw toStateError(`${path} cannot be read`, error)
  } finally {
    db?.close()
  }
}

const versionOf = (db: DatabaseSync): number => Number(db.prepare('PRAGMA user_version').get()?.user_version)

/** Returns the version of a file that this gateway can read or import; 0: it is empty. */
function checkVersion(db: DatabaseSync): number {
  const version = versionOf(db)
  if (version > TABLES_VERSION) {
    throw new Error(`it has version ${version}; this gateway reads up to version ${TABLES_VERSION}`)
  }
  return version
}

/** Creates the tables and imports what earlier versions stored, unless another process has just done so. */
function migrate(db: DatabaseSync, imports: readonly Import[], now: Date): void {
  within(db, 'BEGIN IMMEDIATE', () => {
    if (checkVersion(db) === TABLES_VERSION) return
    db.exec(createTables(SQLITE))
    const names = new Set(
      db
        .prepare('SELECT name FROM sqlite_schema')
        .all()
        .map(({ name }) => name),
    )
    runOn(
      db,
      fillTables(now, imports, (name) => names.has(name)),
    )
    db.exec(`${DROP_TABLES}; PRAGMA user_version = ${TABLES_VERSION}`)
  })
}

function within<Result>(db: DatabaseSync, begin: string, work: () => Result): Result {
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

/** Returns a text that identifies the file at a path; undefined: there is no file, or it cannot be examined. */
function fileAt(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path, { bigint: true })
    return `${dev} ${ino}`
  } catch {
    return undefined
  }
}

/** Primary result codes of SQLite. */
const SQLITE_BUSY = 5
const SQLITE_LOCKED = 6
const SQLITE_FULL = 13

/** Returns a StateError that says what failed, with SQLite's reason. */
function toStateError(what: string, error: unknown): StateError {
  if (error instanceof StateError) return error
  const reason = error instanceof Error ? error.message : String(error)
  return new StateError(`${what}: ${reason}`, isBusy(error), { cause: error })
}

const isBusy = (error: unknown): boolean => [SQLITE_BUSY, SQLITE_LOCKED].includes(codeOf(error))

/** Whether the error is a lock or a full disk, after which the same open file can be used again. */
const isTemporary = (error: unknown): boolean => isBusy(error) || codeOf(error) === SQLITE_FULL

/** Returns SQLite's primary result code: the lowest byte of the extended one. */
const codeOf = (error: unknown): number =>
  error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0

/** Runs work on an open database, within its current transaction. */
export const runOn = <Result>(db: DatabaseSync, work: Work<Result>): Result =>
  runAtOnce(work, ({ text, values }) => {
    const { statement, numbers } = preparedFor(db, text)
    return statement.all(...numbers.map((number) => values[number] ?? null))
  })

interface Prepared {
  readonly statement: StatementSync
  /** The number of the value at each place, in order. */
  readonly numbers: readonly number[]
}

/** How many statements per database stay prepared: those used last. Preparing a statement of many rows takes as long as running it. */
const MOST_PREPARED = 200
const prepared = new WeakMap<DatabaseSync, Map<string, Prepared>>()

function preparedFor(db: DatabaseSync, text: string): Prepared {
  const known = prepared.get(db) ?? new Map<string, Prepared>()
  prepared.set(db, known)
  const found = known.get(text) ?? prepare(db, text)
  known.delete(text)
  known.set(text, found)
  const [oldest] = known.keys()
  if (known.size > MOST_PREPARED && oldest !== undefined) known.delete(oldest)
  return found
}

/** Replaces names by places. SQLite looks up each name among all others, so with names a statement of a thousand values takes ten times as long. */
function prepare(db: DatabaseSync, text: string): Prepared {
  const numbers: number[] = []
  const unnamed = text.replace(/\$(\d+)/g, (_, number) => {
    numbers.push(Number(number) - 1)
    return '?'
  })
  return { statement: db.prepare(unnamed), numbers }
}
