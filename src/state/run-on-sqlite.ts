import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { runAtOnce, type Work } from './sql.ts'

/** Runs work on an open SQLite database, within the transaction that it is in. */
export const runOn = <Result>(db: DatabaseSync, work: Work<Result>): Result =>
  runAtOnce(work, ({ text, values }) => {
    const { statement, numbers } = preparedFor(db, text)
    return statement.all(...numbers.map((number) => values[number] ?? null))
  })

interface Prepared {
  readonly statement: StatementSync
  /** Which value is at each place, in order. */
  readonly numbers: readonly number[]
}

/** So many statements of a database stay prepared, those that were used last. To prepare one of many rows takes as long as to run it. */
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

/** SQLite looks each name up among all others, so a statement of a thousand values takes ten times as long with names. */
function prepare(db: DatabaseSync, text: string): Prepared {
  const numbers: number[] = []
  const unnamed = text.replace(/\$(\d+)/g, (_, number) => {
    numbers.push(Number(number) - 1)
    return '?'
  })
  return { statement: db.prepare(unnamed), numbers }
}
