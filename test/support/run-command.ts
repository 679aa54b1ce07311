import { format } from 'node:util'
import { vi } from 'vitest'
import { refuseMisspelt } from '../../src/cli/misspelt.ts'
import { commandLine } from '../../src/cli/program.ts'

export interface Ran {
  readonly exit: number | null
  readonly output: string
  readonly errors: string
}

/** Node's own warnings may come from anything that runs in this process. */
const isWarning = (text: string): boolean => /^\(node:\d+\) /.test(text)

/** Thrown by the replaced `process.exit`, which must not return. */
class Exited extends Error {}

/** FORCE_COLOR counts as set even when it is empty. */
const { FORCE_COLOR: _, NO_COLOR: __, ...others } = process.env
/** The environment of the test run. */
export const uncoloured: NodeJS.ProcessEnv = others

let running: Promise<unknown> = Promise.resolve()

/**
 * Runs a command of the command line to its end in this process, which is many times faster than in a new one. Runs
 * take turns, since each uses the streams, the environment and the exit code of the process.
 */
export function runCommand(words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ran> {
  const ran = running.then(() => run(words, env))
  running = ran.catch(() => undefined)
  return ran
}

async function run(words: readonly string[], env: Readonly<Record<string, string>>): Promise<Ran> {
  let output = ''
  let errors = ''
  let exit: number | undefined
  const write = (text: unknown): boolean => {
    if (exit === undefined) output += String(text)
    return true
  }
  const complain = (text: unknown): boolean => {
    if (exit === undefined && !isWarning(String(text))) errors += String(text)
    return true
  }
  const instead = [
    vi.spyOn(process.stdout, 'write').mockImplementation(write),
    vi.spyOn(process.stderr, 'write').mockImplementation(complain),
    vi.spyOn(console, 'log').mockImplementation((...words) => void write(`${format(...words)}\n`)),
    vi.spyOn(console, 'error').mockImplementation((...words) => void complain(`${format(...words)}\n`)),
    vi.spyOn(process, 'exit').mockImplementation((code) => {
      exit ??= Number(code ?? 0)
      throw new Exited()
    }),
  ]
  const { env: own, exitCode } = process
  const listening = [process, process.stdout].map((emitter) => [emitter, listenersOf(emitter)] as const)
  process.env = { ...uncoloured, ...env }
  process.exitCode = undefined
  try {
    const program = commandLine()
    await refuseMisspelt(program, words)
    await program.parseAsync(words, { from: 'user' })
    return { exit: exit ?? Number(process.exitCode ?? 0), output, errors }
  } catch (error) {
    if (!(error instanceof Exited)) throw error
    return { exit: exit ?? null, output, errors }
  } finally {
    Object.assign(process, { env: own, exitCode })
    for (const spy of instead) spy.mockRestore()
    for (const [emitter, before] of listening) {
      for (const [event, listener] of listenersOf(emitter)) {
        if (!before.some(([, other]) => other === listener)) emitter.removeListener(event, listener)
      }
    }
  }
}

type Listener = (...args: unknown[]) => void

/** The signals that commands listen to. */
const listenersOf = (emitter: NodeJS.EventEmitter): readonly (readonly [event: string, listener: Listener])[] =>
  ['SIGINT', 'SIGTERM', 'error'].flatMap((event) =>
    emitter.rawListeners(event).map((listener) => [event, listener as Listener] as const),
  )
