import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeAtEnd } from './clean-up.ts'

const HOLD = `
const { DatabaseSync } = require('node:sqlite')
const db = new DatabaseSync(process.argv[1])
db.exec('PRAGMA busy_timeout = 5000')
db.exec(process.argv[2])
console.log('locked')
process.stdin.once('end', () => db.exec('ROLLBACK'))
process.stdin.resume()`

/** Locks an SQLite file from another process until it is released; `begin` is for instance BEGIN IMMEDIATE. */
export async function holdLock(path: string, begin: string): Promise<{ release(): Promise<void> }> {
  const child = spawn(process.execPath, ['-e', HOLD, path, begin], { stdio: ['pipe', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  closeAtEnd(() => child.kill('SIGKILL'))
  const [first] = await Promise.race([once(child.stdout, 'data'), exited])
  if (String(first).trim() !== 'locked') throw new Error(`${path} could not be locked`)
  return {
    async release() {
      child.stdin.end()
      await exited
    },
  }
}
