import type { DatabaseSync, SQLInputValue } from 'node:sqlite'

/** Returns the first row of a query, if any. `Row` must name columns of the tables as they are declared. */
export function findRow<Row>(db: DatabaseSync, sql: string, ...values: SQLInputValue[]): Row | undefined {
  // The tables are STRICT, so a row has the types that its columns declare.
  return db.prepare(sql).get(...values) as unknown as Row | undefined
}

/** Returns all rows of a query. `Row` must name columns of the tables as they are declared. */
export function findRows<Row>(db: DatabaseSync, sql: string, ...values: SQLInputValue[]): Row[] {
  return db.prepare(sql).all(...values) as unknown as Row[]
}

/** Returns a row that must exist, because its id was checked or is a foreign key. Throws if it is missing. */
export function mustBeThere<Row>(row: Row | undefined): Row {
  if (row === undefined) throw new Error('A referenced row is missing from the store')
  return row
}

/** Inserts a row, whose members are named like the columns, and returns its id. */
export function insertRow(db: DatabaseSync, table: string, row: object): number {
  const columns = Object.keys(row)
  const marks = columns.map(() => '?').join(', ')
  const statement = db.prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${marks})`)
  return Number(statement.run(...(Object.values(row) as SQLInputValue[])).lastInsertRowid)
}

/** Runs `work` in a transaction. Keeps everything that it stores, or nothing if it throws. */
export function inTransaction<Result>(db: DatabaseSync, work: () => Result): Result {
  return between(db, 'BEGIN IMMEDIATE', work)
}

/** Runs `work`, which only reads, in a snapshot: it does not see what other processes write meanwhile. */
export function inSnapshot<Result>(db: DatabaseSync, work: () => Result): Result {
  return between(db, 'BEGIN', work)
}

function between<Result>(db: DatabaseSync, begin: string, work: () => Result): Result {
  db.exec(begin)
  try {
    const result = work()
    db.exec('COMMIT')
    return result
  } catch (error) {
    db.exec('ROLLBACK')
    throw error
  }
}
