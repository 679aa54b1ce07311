import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Runs a module's text in a process of its own, until it ends by itself. Returns what it printed. */
export async function runInNode(code: string, ...args: readonly string[]): Promise<string> {
  const line = ['--input-type=module-typescript', '--eval', code, ...args]
  const { stdout } = await promisify(execFile)(process.execPath, line, {
    cwd: join(import.meta.dirname, '../..'),
    timeout: 20_000,
  })
  return stdout
}
