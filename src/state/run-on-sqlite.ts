import type { DatabaseSync } from 'node:sqlite'
import { runAtOnce, type Work } from './sql.ts'

/** Runs work on an open SQLite database, within the transaction that it is in. */
export const runOn = <Result>(db: DatabaseSync, work: Work<Result>): Result =>
  runAtOnce(work, ({ text, values }) =>
    db.prepare(text).all(Object.fromEntries(values.map((value, at) => [`$${at + 1}`, value]))),
  )
