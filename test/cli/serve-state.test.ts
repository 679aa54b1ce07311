import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { sqliteEngine } from '../../src/control-plane/store/sqlite-engine.ts'
import { stateFolder } from '../support/comparing-process.ts'
import { runCommand } from '../support/run-command.ts'

/** Starts a gateway in this process on a state file that cannot be used; what it says of it. */
async function refused(path: string): Promise<string> {
  const { exit, errors } = await runCommand(['serve'], { ...PORTS, LOG_LEVEL: 'fatal', STATE_DB: path })
  expect(exit).toBe(1)
  return errors
}
/** Free ones of loopback. */
const PORTS = { HOST: '127.0.0.1', PORT: '0', ADMIN_PORT: '0', V1_BASE_URL: 'http://127.0.0.1:9' }
const newFile = (): string => join(stateFolder(), 'state.db')
function changed(sql: string): string {
  const path = newFile()
  const db = new DatabaseSync(path, { timeout: 10_000 })
  db.exec(sql)
  db.close()
  return path
}
it('an unusable state file is refused with its variable, its path and the reason, without a stack', async () => {
  const notOne = newFile()
  writeFileSync(notOne, 'this is a text file, and no database at all '.repeat(20))
  const folder = stateFolder()
  const newer = changed('PRAGMA user_version = 8')
  const all = [await refused(notOne), await refused(folder), await refused(newer)]
  expect(all).toEqual([
    `STATE_DB: ${notOne} cannot be used: file is not a database\n`,
    `STATE_DB: ${folder} cannot be used: unable to open database file\n`,
    `STATE_DB: ${newer} cannot be used: it has version 8; this gateway reads up to version 7\n`,
  ])
})

it.each([
  ['{"operation":"invoice-list"', /SyntaxError|JSON/],
  ['{"operation":"invoice-list","failed":-1}', /failed/],
  ['{}', /operation/],
])('a malformed document (%s) is reported with file, operation and remedy', async (counts, reason) => {
  const path = newFile()
  sqliteEngine({ path, holder: 'a test' }).open()
  const db = new DatabaseSync(path, { timeout: 10_000 })
  const key = `invoice-list ["it's",null,null]`
  db.prepare("INSERT INTO ledger VALUES ('evidence', ?, 'invoice-list', 1, '2027-03-04T00:00:00.000Z', ?)").run(
    ...[key, Buffer.from(counts)],
  )
  const said = await refused(path)
  expect(said).toContain(`STATE_DB: a document of the kind evidence cannot be read (`)
  expect(said).toMatch(reason)
  const [, sql = ''] = /or delete it: (.*)\n$/.exec(said) ?? []
  // What it says helps.
  db.exec(sql)
  expect(db.prepare('SELECT count(*) AS rows FROM ledger').get()?.rows).toBe(0)
  db.close()
})
