import { DatabaseSync } from 'node:sqlite'
import { seedExportCodes, seedUnitsOfMeasure } from '../seed/seed-codes.ts'
import { seedCountries } from '../seed/seed-countries.ts'
import { seedCurrencies } from '../seed/seed-currencies.ts'
import { seedCharges, seedInvoices } from '../seed/seed-invoices.ts'
import { seedCarriers, seedOrganizations, seedSenderAddresses } from '../seed/seed-parties.ts'
import { seedCities, seedCounties } from '../seed/seed-places.ts'
import { indexes, storeVersion, tables } from './sandbox-tables.ts'

const inMemory = ':memory:'

/** How long to wait for another process that writes to the same file. Readers do not wait. */
const busyTimeoutMs = 5000

/**
 * Functions that fill new tables, in the order in which rows refer to others. The rows are always the same on every machine:
 * nothing depends on the clock or on randomness.
 */
const seeds = [
  ...[seedOrganizations, seedCountries, seedCities, seedCounties, seedCurrencies, seedUnitsOfMeasure],
  ...[seedExportCodes, seedInvoices, seedCarriers, seedSenderAddresses, seedCharges],
]

/** The bytes of a new in-memory store. Set when the first one is opened in this process. */
let seeded: Uint8Array | undefined

/**
 * Opens the store. Creates and seeds a new store; an existing file is kept as it is. Throws an error that names the
 * file if it cannot be opened, is not a sandbox database, or has another version.
 */
export function openStore(path: string): DatabaseSync {
  let db: DatabaseSync | undefined
  try {
    db = new DatabaseSync(path, { timeout: busyTimeoutMs, enableForeignKeyConstraints: true })
    if (path === inMemory) copySeeded(db)
    else prepare(db)
    // Set only now that the file is known to be a sandbox database, because a file keeps this mode. In this mode,
    // writers do not block readers.
    db.exec('PRAGMA journal_mode = WAL')
    return db
  } catch (error) {
    db?.close()
    throw new Error(`Sandbox database ${path}: ${error instanceof Error ? error.message : error}`, { cause: error })
  }
}

/** Seeds one store per process and copies it from then on, which takes a hundredth of the time. */
function copySeeded(db: DatabaseSync): void {
  if (seeded === undefined) {
    prepare(db)
    // New in Node.js 24.16. Without it, every store is seeded.
    if (!('serialize' in db)) return
    seeded = db.serialize()
  }
  db.deserialize(seeded)
}

function prepare(db: DatabaseSync): void {
  // The transaction begins before the check: if two processes open the same new file, one seeds it while the other
  // waits.
  db.exec('BEGIN IMMEDIATE')
  const version = Number(db.prepare('PRAGMA user_version').get()?.user_version)
  if (version === 0) {
    const existing = db.prepare('SELECT count(*) AS count FROM sqlite_schema').get()
    if (existing?.count !== 0) throw new Error('contains tables of another program')
    createTables(db)
    for (const seed of seeds) seed(db)
    db.exec(`PRAGMA user_version = ${storeVersion}`)
  } else if (version !== storeVersion) {
    throw new Error(`has version ${version}, but this sandbox needs version ${storeVersion}; remove it to start over`)
  }
  db.exec('COMMIT')
}

function createTables(db: DatabaseSync): void {
  for (const [table, columns] of Object.entries(tables)) {
    const declarations = Object.entries(columns).map(([column, declaration]) => `${column} ${declaration}`)
    db.exec(`CREATE TABLE ${table} (${declarations.join(', ')}) STRICT`)
  }
  for (const index of indexes) db.exec(index)
}
