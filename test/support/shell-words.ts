import { execFileSync } from 'node:child_process'

const BIN = 'src/cli/bin.js'

/** The words that a documented line `node src/cli/bin.js …` gives to the command line, as the shell reads them. */
export function wordsOf(line: string): readonly string[] {
  const script = `node() { printf '%s\\0' "$@"; }\n${line}`
  const [bin, ...words] = execFileSync('bash', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1)
  if (bin !== BIN) throw new Error(`it does not run ${BIN}: ${line}`)
  return words
}

/** The words of a command, as the shell reads them. */
export function wordsIn(command: string): readonly string[] {
  const script = `words() { printf '%s\\0' "$@"; }\nwords ${command}`
  return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1)
}
