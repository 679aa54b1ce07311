import { DatabaseSync } from 'node:sqlite'
import { seedStore } from '../seed/seed-store.ts'
import { storeVersion, tables } from './tables.ts'

const inMemory = ':memory:'

/** How long to wait for another process that writes to the same file; readers wait for nobody. */
const busyTimeoutMs = 5000

/** The bytes of a new store in memory, once one was opened in this process. */
let seeded: Uint8Array | undefined

/**
 * Opens the store, and creates and seeds it when it is new. A file is seeded once and then kept as it is.
 * Throws an error that names the file when it cannot be opened, is no sandbox database, or is one of another version.
 */
export function openStore(path: string): DatabaseSync {
  let db: DatabaseSync | undefined
  try {
    db = new DatabaseSync(path, { timeout: busyTimeoutMs, enableForeignKeyConstraints: true })
    if (path === inMemory) copySeeded(db)
    else prepare(db)
    // Only now that the file is known to be ours. In this mode, which a file keeps, nobody who writes holds up a reader.
    db.exec('PRAGMA journal_mode = WAL')
    return db
  } catch (error) {
    db?.close()
    throw new Error(`Sandbox database ${path}: ${error instanceof Error ? error.message : error}`, { cause: error })
  }
}

/** Seeds once in a process and copies from then on, which takes a hundredth of the time. */
function copySeeded(db: DatabaseSync): void {
  if (seeded === undefined) {
    prepare(db)
    // New in Node.js 24.16. Without it each store is seeded.
    if (!('serialize' in db)) return
    seeded = db.serialize()
  }
  db.deserialize(seeded)
}

function prepare(db: DatabaseSync): void {
  // One transaction, taken before looking: two processes that open the same new file seed it once, or one waits.
  db.exec('BEGIN IMMEDIATE')
  const version = Number(db.prepare('PRAGMA user_version').get()?.user_version)
  if (version === 0) {
    const strangers = db.prepare('SELECT count(*) AS count FROM sqlite_schema').get()
    if (strangers?.count !== 0) throw new Error('holds tables of another program')
    db.exec(tables)
    seedStore(db)
    db.exec(`PRAGMA user_version = ${storeVersion}`)
  } else if (version !== storeVersion) {
    throw new Error(`has version ${version}, this sandbox needs version ${storeVersion}; remove it to start afresh`)
  }
  db.exec('COMMIT')
}
