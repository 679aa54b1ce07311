import { runOn } from '../../state/run-on-sqlite.ts'
import type { Work } from '../../state/sql.ts'
import { StateError } from '../../state/state-error.ts'
import { lineageKey } from '../lineage.ts'
import { agreed, type Clock } from './clock-agreement.ts'
import { sumOfCounts } from './operation-state.ts'
import type { Reset } from './resets.ts'
import { isTemporary, openStateFile, type StateFile, toStateError } from './state-file.ts'
import { addResets, DELETE_PAST_DECISIONS, readCounts, readResets } from './state-rows.ts'
import { type KeptCounts, type Portion, StateLost, type StoreChange, type ToKeep } from './state-store.ts'
import { MOST_LINEAGES } from './tally.ts'

/** A `StateStore` in SQLite that blocks its caller: for a thread of its own, or for memory. */
export interface StateDb {
  open(now: Date): { readonly since: string; readonly clock: Clock }
  read(after: KeptCounts | undefined): KeptCounts | undefined
  keep(what: ToKeep): StoreChange
  resets(): readonly Reset[]
  forgetBefore(day: string): void
  /**
   * Runs statements of other rooms in one transaction, on their own tables in the same file.
   * @param kind `read`: locks nothing.
   */
  transaction<Result>(work: () => Work<Result>, kind?: 'read'): Result
  close(): void
}

type Row = Readonly<Record<string, string | number>>
/** The rows of each table. */
type Content = readonly (readonly [table: string, rows: readonly Row[]])[]
const TABLES = [
  ...['begun', 'counts', 'writer', 'clock', 'audit'],
  ...['audit_counts', 'position', 'answered', 'outbox', 'moment', 'lease'],
  ...['usage', 'usage_day', 'usage_last', 'usage_writer', 'usage_brownout'],
  ...['login', 'login_count'],
]
/** The most rows of a table, the newest, that are copied from a removed file, because they are in memory meanwhile. */
const MOST_RESCUED = 100_000

/** A row that is written again becomes the last one. */
const DELETE_BEYOND = `
  DELETE FROM counts WHERE operation = ? AND rowid NOT IN (
    SELECT rowid FROM counts WHERE operation = ? ORDER BY rowid DESC LIMIT ${MOST_LINEAGES})`

/** Keeps each operation's newest lineage. */
const DELETE_SUPERSEDED = `
  DELETE FROM counts WHERE day < ? AND EXISTS (
    SELECT 1 FROM counts AS later WHERE later.operation = counts.operation AND later.day > counts.day)`

/**
 * Stores results in SQLite.
 * @param path the path of a file, or `:memory:`.
 * @param writer identifies this process among the writers of the file; new at each start.
 */
export function stateDb(path: string, writer: string): StateDb {
  let file: StateFile | undefined
  /** Whether the file was removed or replaced, and its content is not in a new file yet. */
  let isMoved = false
  let rescued: Content | undefined
  /** What happened to the file, until `keep` has returned it. */
  let unreported: StoreChange = 'same'
  /** What other processes had stored when `keep` last said so. */
  let storedByOthers: number | undefined

  const opened = (): StateFile => {
    file ??= openStateFile(path)
    return file
  }
  const since = ({ db }: StateFile): string | undefined => db.prepare('SELECT at FROM begun').get()?.at as string
  const countOthers = ({ db }: StateFile): number =>
    Number(db.prepare('SELECT total(stored) AS stored FROM writer WHERE id <> ?').get(writer)?.stored)
  const begin = ({ db }: StateFile, at: string): void => {
    db.prepare('INSERT INTO begun VALUES (?)').run(at)
  }
  /** Returns the file that is at the path now. If the open file was removed, creates a new one with its content. */
  const currentFile = (): StateFile => {
    if (file?.hasMoved() === true) {
      rescued ??= contentOf(file)
      isMoved = true
      closeFile()
    }
    const current = opened()
    if (!isMoved) return current
    const content = rescued
    const isEmpty = since(current) === undefined
    if (isEmpty && content !== undefined) current.change(() => since(current) ?? fill(current, content))
    if (!isEmpty || content !== undefined) unreported = isEmpty ? 'recreated' : 'replaced'
    isMoved = false
    rescued = undefined
    return current
  }

  /** Makes each error say what failed. */
  const trying = <T>(what: string, work: () => T): T => {
    try {
      return work()
    } catch (error) {
      if (error instanceof StateError || error instanceof StateLost) throw error
      // A full disk or a lock is temporary. Any other error may be due to the open file, so the file is reopened next time.
      if (!isTemporary(error)) closeFile()
      throw toStateError(`${path} ${what}`, error)
    }
  }
  const closeFile = (): void => {
    file?.close()
    file = undefined
  }

  return {
    open: (now) =>
      trying('cannot be used', () => {
        const current = opened()
        if (since(current) === undefined) current.change(() => since(current) ?? begin(current, now.toISOString()))
        storedByOthers = countOthers(current)
        return { since: since(current) ?? now.toISOString(), clock: clockOf(current, now) }
      }),
    read: (after) =>
      trying('cannot be read', () => {
        const row = opened()
          .db.prepare('SELECT * FROM counts WHERE (operation, lineage) > (?, ?) ORDER BY operation, lineage LIMIT 1')
          .get(after?.counts.operation ?? '', after === undefined ? '' : lineageKey(after.counts.lineage))
        return row && { day: String(row.day), counts: readCounts(path, row) }
      }),
    keep: ({ portion, clock, resets = [] }) =>
      trying('cannot be written', () => {
        const current = currentFile()
        if (portion?.force === undefined && since(current) === undefined) throw new StateLost(true)
        if (portion !== undefined || clock !== undefined || resets.length > 0) {
          current.change(() => {
            if (portion !== undefined) add(current, portion)
            if (clock !== undefined) keepClock(current, clock)
            addResets(current.db, resets)
          })
        }
        // The portion may now be in no file. The next call copies the removed file's content and gets the same portion again.
        if (current.hasMoved()) throw new StateError(`${path} was removed while it was being written`, true)
        const change = unreported
        unreported = 'same'
        if (change !== 'same') return change
        const before = storedByOthers
        storedByOthers = countOthers(current)
        return storedByOthers === before ? 'same' : 'added'
      }),
    resets: () => trying('cannot be read', () => readResets(opened().db)),
    forgetBefore: (day) =>
      trying('cannot be written', () => {
        const current = opened()
        current.change(() => {
          current.db.prepare(DELETE_SUPERSEDED).run(day)
          current.db.prepare('DELETE FROM writer WHERE day < ? AND id <> ?').run(day, writer)
          current.db.prepare(DELETE_PAST_DECISIONS).run(day)
        })
      }),
    transaction: (work, kind) =>
      trying(kind === 'read' ? 'cannot be read' : 'cannot be written', () => {
        const current = currentFile()
        if (kind === 'read') return current.look(() => runOn(current.db, work()))
        const result = current.change(() => runOn(current.db, work()))
        if (current.hasMoved()) throw new StateError(`${path} was removed while it was being written`, true)
        return result
      }),
    close: closeFile,
  }

  function add(current: StateFile, { number, day, operations, force }: Portion): void {
    const { db } = current
    const stored = db.prepare('SELECT stored FROM writer WHERE id = ?').get(writer)?.stored ?? 0
    if (stored === number) return
    if (force === undefined) {
      if (stored !== number - 1) throw new StateLost(false)
    } else if (since(current) === undefined) begin(current, force.since)
    const kept = db.prepare('SELECT * FROM counts WHERE operation = ? AND lineage = ?')
    const write = db.prepare('INSERT OR REPLACE INTO counts VALUES (?, ?, ?, ?)')
    for (const counts of operations) {
      const { operation } = counts
      const lineage = lineageKey(counts.lineage)
      const row = kept.get(operation, lineage)
      const sum = sumOfCounts(row === undefined ? [counts] : [readCounts(path, row), counts])
      write.run(operation, lineage, day, JSON.stringify(sum))
      db.prepare(DELETE_BEYOND).run(operation, operation)
    }
    db.prepare('INSERT OR REPLACE INTO writer VALUES (?, ?, ?)').run(writer, number, day)
  }
}

/** Reads the stored clock. A file of an older gateway has none; then the clock is the end of the newest stored day. */
function clockOf({ db }: StateFile, now: Date): Clock {
  const row = db.prepare('SELECT * FROM clock').get()
  if (row !== undefined) {
    return { seenAt: Number(row.seen_at), agreedMs: Number(row.agreed_ms), leapMs: Number(row.leap_ms) }
  }
  const newest = Date.parse(String(db.prepare("SELECT date(max(day), '+1 day') AS end FROM counts").get()?.end))
  return agreed(Number.isNaN(newest) ? now.getTime() : newest)
}

function keepClock({ db }: StateFile, { seenAt, agreedMs, leapMs }: Clock): void {
  db.prepare('INSERT OR REPLACE INTO clock VALUES (1, ?, ?, ?)').run(seenAt, agreedMs, leapMs)
}

/** Reads the content to copy; undefined: the file can no longer be read. */
function contentOf({ db }: StateFile): Content | undefined {
  try {
    return TABLES.map((table) => {
      const newest = db.prepare(`SELECT * FROM ${table} ORDER BY rowid DESC LIMIT ${MOST_RESCUED}`).all() as Row[]
      return [table, newest.reverse()]
    })
  } catch {
    return undefined
  }
}

function fill({ db }: StateFile, content: Content): void {
  for (const [table, rows] of content) {
    for (const row of rows) {
      const values = Object.values(row)
      db.prepare(`INSERT INTO ${table} VALUES (${values.map(() => '?').join()})`).run(...values)
    }
  }
}
