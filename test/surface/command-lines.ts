import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Lists the commands of a checkout with their arguments and options, as their help shows them. */
export async function commandLines(checkout: string, ...command: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await run(process.execPath, ['src/cli/legacy-gateway.ts', ...command, '--help'], { cwd: checkout })
  const section = (title: string): readonly string[] => {
    const text = stdout.split(`\n${title}:\n`)[1]?.split('\n\n')[0] ?? ''
    return Array.from(text.matchAll(/^ {2}(\S.*?)(?: {2,}|$)/gm), ([, name = '']) => name)
  }
  const title = ['command', ...command].join(' ')
  const within = section('Commands')
    .map((line) => line.split(/[ |]/)[0] ?? '')
    .filter((name) => name !== 'help')
  const deeper = await Promise.all(within.map((name) => commandLines(checkout, ...command, name)))
  return [
    ...[...section('Arguments'), ...section('Options')].map((line) => `${title} ${line}`),
    ...within.map((name) => `${title} ${name}`),
    ...deeper.flat(),
  ]
}
