import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'

const has = (program: string, ...parameters: readonly string[]): boolean => spawnSync(program, parameters).status === 0

export const hasCurl = has('curl', '--version')

/** The POSIX shells of this machine, each with its options. */
export const shells = [['sh'], ['bash', '--posix'], ['dash']].filter(([shell = '', ...options]) =>
  has(shell, ...options, '-c', ':'),
)

/** Runs a command in a shell as if pasted. Returns its output. Rejects when the command fails. */
export async function paste(
  command: string,
  env: Readonly<Record<string, string>>,
  [program = 'sh', ...options]: readonly string[] = ['sh'],
): Promise<string> {
  const running = promisify(execFile)(program, options, { env: { PATH: process.env.PATH, ...env } })
  running.child.stdin?.end(`${command}\n`)
  return (await running).stdout
}
