import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'

/** Runs legacy-gateway, and returns what it prints. Rejects if it could not run (exit code 2). */
export async function runCommand(words: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const child = spawn(process.execPath, ['src/cli/bin.js', ...words], { env: { ...process.env, ...env } })
  const [stdout, stderr, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.once('exit', resolve)),
  ])
  if (code === null || (code > 1 && code !== 3)) throw new Error(`legacy-gateway ${words[0]}: ${stderr}`)
  return stdout
}
