import { DatabaseSync } from 'node:sqlite'
import { type OperationCounts, operationCounts } from './operation-counts.ts'

/** Where results of comparing are kept: counts, paths and kinds by operation and day, never a value. */
export interface StateDb {
  /** When the oldest of what is kept was begun; ISO 8601. */
  readonly since: string
  /** Everything that is kept. */
  load(): readonly OperationCounts[]
  /** Adds to what is kept of one day (`YYYY-MM-DD`); `sum` adds up, and nobody else writes meanwhile. */
  add(day: string, sum: (kept: readonly OperationCounts[]) => readonly OperationCounts[]): void
  /** Lets go of days before this one. */
  forgetBefore(day: string): void
  close(): void
}

/** The state file cannot be used. */
export class StateError extends Error {
  override readonly name = 'StateError'
}

/** Raised when what is stored changes its form. */
const VERSION = 1

/**
 * Opens the state, and begins it where there is none.
 * @param path of a file, or `:memory:`.
 * @throws StateError
 */
export function openStateDb(path: string, now: Date): StateDb {
  try {
    return open(new DatabaseSync(path), now)
  } catch (error) {
    throw new StateError(`${path} cannot be used: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    })
  }
}

function open(db: DatabaseSync, now: Date): StateDb {
  db.exec('PRAGMA busy_timeout = 2000; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
  const version = Number(db.prepare('PRAGMA user_version').get()?.user_version)
  if (version > VERSION) throw new Error(`it is of version ${version}, and this gateway knows version ${VERSION}`)
  db.exec(`
    CREATE TABLE IF NOT EXISTS begun (at TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS counts (
      operation TEXT NOT NULL, day TEXT NOT NULL, counts TEXT NOT NULL, PRIMARY KEY (operation, day)) STRICT;
    PRAGMA user_version = ${VERSION}`)
  const begun = db.prepare('SELECT at FROM begun').get()
  const since = begun === undefined ? now.toISOString() : String(begun.at)
  if (begun === undefined) db.prepare('INSERT INTO begun VALUES (?)').run(since)

  const all = db.prepare('SELECT counts FROM counts ORDER BY day, operation')
  const ofDay = db.prepare('SELECT counts FROM counts WHERE day = ? ORDER BY operation')
  const write = db.prepare('INSERT OR REPLACE INTO counts VALUES (?, ?, ?)')
  const read = (rows: readonly Record<string, unknown>[]): readonly OperationCounts[] =>
    rows.map(({ counts }) => operationCounts.parse(JSON.parse(String(counts))))
  return {
    since,
    load: () => read(all.all()),
    add(day, sum) {
      db.exec('BEGIN IMMEDIATE')
      try {
        for (const one of sum(read(ofDay.all(day)))) write.run(one.operation, day, JSON.stringify(one))
        db.exec('COMMIT')
      } catch (error) {
        db.exec('ROLLBACK')
        throw error
      }
    },
    forgetBefore: (day) => {
      db.prepare('DELETE FROM counts WHERE day < ?').run(day)
    },
    close: () => db.close(),
  }
}
