import { DatabaseSync } from 'node:sqlite'

/** Returns how many calls of an operation are stored in an SQLite file. */
export const storedCalls = (file: string, operation: string): number => sumOf(file, 'calls', operation)

/** Returns of how many calls of an operation it is stored what they showed. */
export const storedLooks = (file: string, operation: string): number =>
  sumOf(file, "json_extract(doc, '$.calls')", operation)

function sumOf(file: string, what: string, operation: string): number {
  const db = new DatabaseSync(file, { readOnly: true, timeout: 10_000 })
  try {
    const row = db.prepare(`SELECT sum(${what}) AS sum FROM usage WHERE operation = ?`).get(operation)
    return Number(row?.sum ?? 0)
  } finally {
    db.close()
  }
}
