import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'

export interface ProgramRun {
  /** Null when the program could not be started, or was ended. */
  readonly code: number | null
  /** Its standard output. */
  readonly lines: readonly string[]
  /** Its standard error. */
  readonly complaint: string
}

/**
 * Runs a program to its end beside the servers of this process. It does not use a proxy of the environment for
 * loopback. Never rejects.
 */
export async function runProgram(
  command: readonly string[],
  signal?: AbortSignal,
  variables: Readonly<Record<string, string>> = {},
): Promise<ProgramRun> {
  const [file = '', ...options] = command
  const env = { ...process.env, ...variables, no_proxy: '127.0.0.1', NO_PROXY: '127.0.0.1' }
  const program = spawn(file, options, { env, stdio: ['ignore', 'pipe', 'pipe'], ...(signal && { signal }) })
  const ended = new Promise<number | null>((resolve) => {
    program.on('error', () => resolve(null))
    program.on('close', resolve)
  })
  const [code, printed, complaint] = await Promise.all([ended, text(program.stdout), text(program.stderr)])
  return { code, lines: printed.split('\n').filter((line) => line !== ''), complaint }
}
