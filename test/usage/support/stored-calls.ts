import { DatabaseSync } from 'node:sqlite'

/** Returns how many calls of an operation are stored in an SQLite file. */
export function storedCalls(file: string, operation: string): number {
  const db = new DatabaseSync(file, { readOnly: true })
  try {
    const row = db.prepare('SELECT sum(calls) AS calls FROM usage WHERE operation = ?').get(operation)
    return Number(row?.calls ?? 0)
  } finally {
    db.close()
  }
}
