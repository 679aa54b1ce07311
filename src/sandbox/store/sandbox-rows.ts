import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import type { NewRow, Row, TableName } from './sandbox-tables.ts'

/** Finds the first row, by id, whose columns have these values. */
export function findRow<Table extends TableName>(
  db: DatabaseSync,
  table: Table,
  where: Partial<Row<Table>>,
): Row<Table> | undefined {
  // The tables are STRICT, so a row has the types that its columns declare.
  return db.prepare(selecting(table, where)).get(...valuesOf(where)) as Row<Table> | undefined
}

/** Finds all rows whose columns have these values, in order of id. */
export function findRows<Table extends TableName>(
  db: DatabaseSync,
  table: Table,
  where: Partial<Row<Table>> = {},
): Row<Table>[] {
  return db.prepare(selecting(table, where)).all(...valuesOf(where)) as Row<Table>[]
}

/** Inserts a row and returns its id. */
export function insertRow<Table extends TableName>(db: DatabaseSync, table: Table, row: NewRow<Table>): number {
  const columns = Object.keys(row)
  const marks = columns.map(() => '?').join(', ')
  const statement = db.prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${marks})`)
  return Number(statement.run(...valuesOf(row)).lastInsertRowid)
}

/** Returns a row that must exist, because its id was checked or is a foreign key. Throws if it is missing. */
export function mustBeThere<Found>(row: Found | undefined): Found {
  if (row === undefined) throw new Error('A referenced row is missing from the store')
  return row
}

/** Runs `work` in a transaction. Keeps everything that it stores, or nothing if it throws. */
export function inTransaction<Result>(db: DatabaseSync, work: () => Result): Result {
  return between(db, 'BEGIN IMMEDIATE', work)
}

/** Runs `work`, which only reads, in a snapshot: it does not see what other processes write meanwhile. */
export function inSnapshot<Result>(db: DatabaseSync, work: () => Result): Result {
  return between(db, 'BEGIN', work)
}

function selecting(table: TableName, where: object): string {
  const conditions = Object.keys(where).map((column) => `${column} = ?`)
  return `SELECT * FROM ${table} ${conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`} ORDER BY id`
}

function valuesOf(row: object): SQLInputValue[] {
  return Object.values(row)
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
