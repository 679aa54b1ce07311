import type { DatabaseSync, SQLInputValue } from 'node:sqlite'

/** The only row of a query, if there is one. `Row` must name columns of the tables as they are declared. */
export function findRow<Row>(db: DatabaseSync, sql: string, ...values: SQLInputValue[]): Row | undefined {
  // The tables are STRICT, so a row has the types that its columns declare.
  return db.prepare(sql).get(...values) as unknown as Row | undefined
}

/** All rows of a query. `Row` must name columns of the tables as they are declared. */
export function findRows<Row>(db: DatabaseSync, sql: string, ...values: SQLInputValue[]): Row[] {
  return db.prepare(sql).all(...values) as unknown as Row[]
}

/** A row that is known to exist, because its id was checked or is a foreign key. Throws when it is gone all the same. */
export function mustBeThere<Row>(row: Row | undefined): Row {
  if (row === undefined) throw new Error('A row of the store that is referred to is missing')
  return row
}

/** Inserts a row, the names of whose members are columns, and gives its id. */
export function insertRow(db: DatabaseSync, table: string, row: object): number {
  const columns = Object.keys(row)
  const marks = columns.map(() => '?').join(', ')
  const statement = db.prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${marks})`)
  return Number(statement.run(...(Object.values(row) as SQLInputValue[])).lastInsertRowid)
}

/** Runs `work` so that all of what it stores is kept, or, when it throws, nothing. */
export function inTransaction<Result>(db: DatabaseSync, work: () => Result): Result {
  return between(db, 'BEGIN IMMEDIATE', work)
}

/** Runs `work`, which only reads, so that all of it sees the same store, whatever other processes write meanwhile. */
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
