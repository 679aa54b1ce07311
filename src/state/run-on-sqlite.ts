import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { runAtOnce, type Work } from './sql.ts'

/** Runs work on an open SQLite database, within its current transaction. */
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
