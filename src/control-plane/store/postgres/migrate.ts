import { escapeIdentifier } from 'pg'
import { fillTables, type Import } from '../engine.ts'
import type { Work } from '../sql.ts'
import { StateError } from '../state-error.ts'
import { createTables, DROP_TABLES, POSTGRESQL, TABLES_VERSION } from '../state-tables.ts'
import { type Database, runWithin, type Transaction } from './database.ts'

/** What a database has besides: its long documents are deflated already, and replicas share it. */
const OF_POSTGRESQL = `
  ALTER TABLE ledger ALTER doc SET STORAGE EXTERNAL;
  -- A gateway process. One that stops in good order deletes its row.
  CREATE TABLE IF NOT EXISTS replica (
    id text NOT NULL, incarnation text NOT NULL, started_at timestamptz NOT NULL, seen_at timestamptz NOT NULL, build text NOT NULL,
    mapping text NOT NULL, rollout text, position text, clock_offset_ms double precision NOT NULL,
    PRIMARY KEY (id, incarnation)) WITH (fillfactor = 50);
  INSERT INTO change (one, version) VALUES (1, 0) ON CONFLICT DO NOTHING`

/** The only version of before the ledger that is imported: no release of a gateway has stored an earlier one. */
const BEFORE_LEDGER = 6

interface MigrateOptions {
  /** What to copy from the tables of earlier versions. */
  readonly imports: readonly Import[]
  /** Whether a newer schema is allowed: for a gateway that runs while newer ones are started beside it. */
  readonly canBeNewer: boolean
}

/**
 * Brings the schema up to date, or creates it, in one transaction that only one process does at a time.
 * @throws StateError that is not busy if the schema has a version that this gateway cannot read, or the database cannot hold every text.
 */
export async function migrate(
  database: Database,
  schema: string,
  { imports, canBeNewer }: MigrateOptions,
): Promise<void> {
  await database.transaction(async (transaction) => {
    await transaction.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`migrate ${schema}`])
    await checkEncoding(transaction, database.name)
    const version = await versionOf(transaction, schema)
    if (!canBeNewer) refuseNewer(version, database.name, schema)
    if (version >= TABLES_VERSION) return
    if (version !== 0 && version < BEFORE_LEDGER) {
      throw new StateError(
        `${database.name}: schema ${schema} has version ${version}, which no release has written`,
        false,
      )
    }
    // Those of before have columns of other types. The replicas that were in them have to be stopped.
    await transaction.query('DROP TABLE IF EXISTS change, replica')
    await transaction.query(`${createTables(POSTGRESQL)};${OF_POSTGRESQL}`)
    const tables = await transaction.query('SELECT tablename FROM pg_tables WHERE schemaname = $1', [schema])
    const names = new Set(tables.map(({ tablename }) => tablename))
    await runWithin(transaction, (now) => fillTables(now, imports, (name) => names.has(name)))
    await transaction.query(
      `${DROP_TABLES}; DROP FUNCTION IF EXISTS beat(text, text, bigint, text, text, text, jsonb, double precision, bytea)`,
    )
    await transaction.query('DELETE FROM version')
    await transaction.query('INSERT INTO version VALUES ($1)', [TABLES_VERSION])
  })
}

/**
 * Reads without changing anything, even while replicas run.
 * @throws StateError, one that is not busy if there are no tables, or those of another version.
 */
export const readDatabase = <Result>(database: Database, schema: string, work: Work<Result>): Promise<Result> =>
  database.transaction(async (transaction) => {
    await checkVersion(transaction, database.name, schema)
    return runWithin(transaction, () => work)
  }, 'read')

async function checkVersion(transaction: Transaction, name: string, schema: string): Promise<void> {
  const [table] = await transaction.query(VERSION_TABLE, [schema])
  if (table === undefined) throw new StateError(`${name}: no gateway has stored anything in schema ${schema}`, false)
  const [row] = await transaction.query<{ readonly steps: number }>('SELECT steps FROM version')
  const version = row?.steps ?? 0
  refuseNewer(version, name, schema)
  if (version < TABLES_VERSION) {
    throw new StateError(
      `${name}: schema ${schema} has version ${version}, not ${TABLES_VERSION}: start a gateway with it first`,
      false,
    )
  }
}

function refuseNewer(version: number, name: string, schema: string): void {
  if (version <= TABLES_VERSION) return
  throw new StateError(
    `${name}: schema ${schema} has version ${version}; this gateway reads up to version ${TABLES_VERSION}`,
    false,
  )
}

const VERSION_TABLE = "SELECT 1 FROM pg_tables WHERE schemaname = $1 AND tablename = 'version'"

/** In another encoding, a single name in an answer could keep all results from being stored. */
async function checkEncoding(transaction: Transaction, name: string): Promise<void> {
  const [row] = await transaction.query<{ readonly encoding: string }>(
    "SELECT current_setting('server_encoding') AS encoding",
  )
  if (row?.encoding === 'UTF8') return
  throw new StateError(
    `${name}: its encoding is ${row?.encoding}; it must be UTF8: createdb --encoding=UTF8 --template=template0`,
    false,
  )
}

/** Returns the version of the tables; 0: there are none. Creates the table that records it. */
async function versionOf(transaction: Transaction, schema: string): Promise<number> {
  // Checked first, because a user who may use the schema may lack the right to create one.
  const [there] = await transaction.query('SELECT 1 FROM pg_namespace WHERE nspname = $1', [schema])
  if (there === undefined) await transaction.query(`CREATE SCHEMA ${escapeIdentifier(schema)}`)
  const [table] = await transaction.query(VERSION_TABLE, [schema])
  if (table === undefined) await transaction.query('CREATE TABLE version (steps integer NOT NULL)')
  const [row] = await transaction.query<{ readonly steps: number }>('SELECT steps FROM version')
  return row?.steps ?? 0
}
