import { execFile } from 'node:child_process'
import type { Ran } from './run-command.ts'

/** Runs the file that `bin` names in a process of its own, with this environment alone. */
export const runBin = (words: readonly string[], env: Readonly<Record<string, string>>): Promise<Ran> =>
  new Promise((resolve) => {
    const line = ['src/cli/bin.js', ...words]
    const child = execFile(process.execPath, line, { env: { PATH: process.env.PATH, ...env } }, (_, output, errors) =>
      resolve({ exit: child.exitCode, output, errors }),
    )
  })
