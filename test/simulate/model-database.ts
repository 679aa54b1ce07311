import { DatabaseSync } from 'node:sqlite'
import { fillTables } from '../../src/control-plane/store/engine.ts'
import type { SqlRow, Statement, Work } from '../../src/control-plane/store/sql.ts'
import { runOn } from '../../src/control-plane/store/sqlite-engine.ts'
import { StateError } from '../../src/control-plane/store/state-error.ts'
import { createTables, SQLITE } from '../../src/control-plane/store/state-tables.ts'

/*
 * A database that several processes use at the same moment, as PostgreSQL is at the level READ COMMITTED. The rows are in SQLite, which has one
 * transaction at a time. So when another transaction has its turn, the one before is rolled back, and what it wrote is written again when it
 * continues. It finds the same rows, because it holds locks on them.
 */

/** Follows the keyword of a statement that locks what it reads. */
export const SHARE = '/* FOR SHARE */'

export interface Witness {
  /** Called right after a commit. @param read reads what is committed. */
  committed(by: string, read: (text: string) => readonly SqlRow[]): void
}

export class ModelDatabase {
  readonly #db = new DatabaseSync(':memory:')
  readonly #witness: Witness
  /** Who holds each lock. */
  readonly #locks = new Map<string, ModelTransaction>()
  readonly #waiting = new Map<string, Waiting[]>()
  readonly #open = new Set<ModelTransaction>()
  /** The transaction whose writes SQLite has at the moment. */
  #active: ModelTransaction | undefined

  /** @param now the time at which its tables are created. */
  constructor(witness: Witness, now: Date) {
    this.#witness = witness
    this.#db.exec(createTables(SQLITE))
    runOn(
      this.#db,
      fillTables(now, [], () => false),
    )
  }

  /** @param by whose transaction it is, and what for. */
  begin(by: string): ModelTransaction {
    const transaction = new ModelTransaction(this, by)
    this.#open.add(transaction)
    return transaction
  }

  /** Whether no transaction is under way. */
  isIdle(): boolean {
    return this.#open.size === 0
  }

  /** Runs work on what is committed, all at once. */
  read<Result>(work: Work<Result>): Result {
    this.#leave()
    return runOn(this.#db, work)
  }

  close(): void {
    this.#leave()
    this.#db.close()
  }

  /** For `ModelTransaction`. */
  run(transaction: ModelTransaction, statement: Statement): readonly SqlRow[] {
    this.#enter(transaction)
    return runOn(this.#db, once(statement))
  }

  commit(transaction: ModelTransaction): void {
    this.#enter(transaction)
    this.#db.exec('COMMIT')
    this.#active = undefined
    this.#witness.committed(transaction.by, (text) => this.read(once({ text, values: [] })))
  }

  rollback(transaction: ModelTransaction): void {
    if (this.#active === transaction) this.#leave()
  }

  /** Takes a lock; waits for it, if another transaction holds it. */
  async lock(transaction: ModelTransaction, name: string): Promise<void> {
    const holder = this.#locks.get(name)
    if (holder === transaction) return
    if (holder === undefined) return void this.#locks.set(name, transaction)
    for (let other: ModelTransaction | undefined = holder; other !== undefined; ) {
      if (other === transaction) throw new StateError('deadlock detected', true)
      other = other.waitsFor === undefined ? undefined : this.#locks.get(other.waitsFor)
    }
    transaction.waitsFor = name
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waiting.set(name, [...(this.#waiting.get(name) ?? []), { transaction, resolve }])
    await promise
  }

  /** Gives the locks of a transaction that has ended to those who have waited longest. */
  release(transaction: ModelTransaction): void {
    this.#open.delete(transaction)
    for (const [name, holder] of [...this.#locks]) {
      if (holder !== transaction) continue
      const waiting = (this.#waiting.get(name) ?? []).filter((one) => !one.transaction.isOver)
      const next = waiting.shift()
      this.#waiting.set(name, waiting)
      if (next === undefined) {
        this.#locks.delete(name)
        continue
      }
      this.#locks.set(name, next.transaction)
      next.transaction.waitsFor = undefined
      next.resolve()
    }
  }

  #enter(transaction: ModelTransaction): void {
    if (this.#active === transaction) return
    this.#leave()
    this.#db.exec('BEGIN')
    this.#active = transaction
    for (const statement of transaction.writes) runOn(this.#db, once(statement))
  }

  #leave(): void {
    if (this.#active !== undefined) this.#db.exec('ROLLBACK')
    this.#active = undefined
  }
}

interface Waiting {
  readonly transaction: ModelTransaction
  readonly resolve: () => void
}

function* once(statement: Statement): Work<readonly SqlRow[]> {
  return yield statement
}

/** One transaction, from its beginning to its end. */
export class ModelTransaction {
  readonly by: string
  readonly writes: Statement[] = []
  /** The lock that it waits for. */
  waitsFor: string | undefined
  isOver = false
  readonly #database: ModelDatabase

  constructor(database: ModelDatabase, by: string) {
    this.#database = database
    this.by = by
  }

  /** Runs a statement once no other transaction keeps it from doing so. Never resolves if the transaction ends meanwhile. */
  async execute(statement: Statement): Promise<readonly SqlRow[]> {
    for (const name of locksOf(statement)) {
      this.#refuseIfOver()
      await this.#database.lock(this, name)
    }
    return this.executeNow(statement)
  }

  /** Runs a statement, whoever holds locks. */
  executeNow(statement: Statement): readonly SqlRow[] {
    this.#refuseIfOver()
    const rows = this.#database.run(this, statement)
    if (WRITE.test(statement.text)) this.writes.push(statement)
    return rows
  }

  commit(): void {
    this.#refuseIfOver()
    this.#database.commit(this)
    this.#end()
  }

  rollback(): void {
    if (this.isOver) return
    this.#database.rollback(this)
    this.#end()
  }

  #refuseIfOver(): void {
    if (this.isOver) throw new StateError('the database has ended the transaction', true)
  }

  #end(): void {
    this.isOver = true
    this.#database.release(this)
  }
}

const WRITE = /^\s*(INSERT INTO|UPDATE|DELETE FROM) (\w+)/

/** The columns of a row of these tables that is written with others. */
const COLUMNS = { ledger: 6, usage: 12 }

/** Returns the locks that PostgreSQL takes for a statement, or fewer and larger ones. */
function locksOf({ text, values }: Statement): readonly string[] {
  if (text.includes(SHARE)) return ['lease']
  const [, verb, table] = WRITE.exec(text) ?? []
  switch (table) {
    case undefined:
    // It has no key.
    case 'begun':
      return []
    case 'ledger':
    case 'usage': {
      // What is updated or deleted is locked by other means: the head of the kind, or the same row that was inserted before.
      if (verb !== 'INSERT INTO') return []
      const columns = COLUMNS[table]
      const rows = Array.from({ length: values.length / columns }, (_, row) => values.slice(row * columns))
      return rows.map((row) => `${table} ${row.slice(0, table === 'ledger' ? 2 : 3).join(' ')}`)
    }
    case 'ledger_writer':
      return [`${table} ${values[0]} ${values[1]}`]
    case 'ledger_head':
    case 'usage_day':
    case 'usage_last':
    case 'position':
      return [`${table} ${values[0]}`]
    case 'audit':
    case 'audit_counts':
      return [`audit ${values[0]}`]
    default:
      return [table]
  }
}
