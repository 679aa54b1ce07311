import { randomUUID } from 'node:crypto'
import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { openStore } from '../../src/sandbox/store/open-store.ts'
import { closeAtEnd } from './clean-up.ts'

/**
 * A new store for a sandbox in this process, to be given as its `db`. It is in memory, as `:memory:` is, until the file's tests
 * have run. Seeding takes most of a second, so it is done once in a run of the tests, and copied.
 */
export async function seededStore(): Promise<string> {
  const folder = process.env.SEEDED_STORES
  // Somebody else than vitest runs this.
  if (folder === undefined) return ':memory:'
  const seeded = new DatabaseSync(seedOnce(folder), { readOnly: true })
  const store = `file:/${randomUUID()}?vfs=memdb`
  // It is there as long as anybody has it open.
  const keeper = new DatabaseSync(store)
  closeAtEnd(() => keeper.close())
  await backup(seeded, store, { rate: ALL_PAGES })
  seeded.close()
  return store
}

const ALL_PAGES = 100_000

function seedOnce(folder: string): string {
  const seeded = join(folder, 'seeded.db')
  if (existsSync(seeded)) return seeded
  // Two processes that come first may both do it; nobody sees half of it.
  const mine = join(folder, randomUUID())
  const db = openStore(mine)
  // What is in memory has no write-ahead log.
  db.exec('PRAGMA journal_mode = DELETE')
  db.close()
  renameSync(mine, seeded)
  return seeded
}
