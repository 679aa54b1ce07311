import type { DatabaseSync } from 'node:sqlite'
import { runAtOnce, type SqlValue, type Statement, type Work } from './sql.ts'

/** Runs work on an open SQLite database, within the transaction that it is in. */
export const runOn = <Result>(db: DatabaseSync, work: Work<Result>): Result =>
  runAtOnce(work, (statement) => {
    const { text, values } = inPlaces(statement)
    return db.prepare(text).all(...values)
  })

/** SQLite looks each name up among all others, so a statement of a thousand values takes ten times as long with names. */
function inPlaces({ text, values }: Statement): Statement {
  const used: SqlValue[] = []
  const unnamed = text.replace(/\$(\d+)/g, (_, number) => {
    used.push(values[Number(number) - 1] ?? null)
    return '?'
  })
  return { text: unnamed, values: used }
}
