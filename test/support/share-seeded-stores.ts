import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Before all tests of a run: a folder in which `seededStore` keeps what it makes. After them it is removed. */
export default function setUp(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'seeded-stores-'))
  process.env.SEEDED_STORES = folder
  return () => rmSync(folder, { recursive: true, force: true })
}
