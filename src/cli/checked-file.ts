import { readFileSync } from 'node:fs'
import { ConfigError } from '../app/config.ts'
import { reasonOf } from '../common/reason-of.ts'
import { RolloutError } from '../control-plane/rollout/rollout.ts'
import { MappingError } from '../engine/compile/compile-operations.ts'
import { CorrectionsError } from '../mapping/corrections/corrections.ts'
import { AdminPortError } from './admin-port.ts'
import { orSayWhy } from './printing.ts'

const HAS_MISTAKES = 1
const COULD_NOT_RUN = 2

/** Errors that list the mistakes of a file. */
const MISTAKES = [RolloutError, CorrectionsError, MappingError]

/**
 * Runs a command about a file and returns its exit code: 0, 1 if the file has mistakes, 2 if it could not be judged.
 * @param tell is told the mistakes too, one a line.
 */
export const orMistakes = (
  command: () => Promise<void>,
  tell: (mistakes: readonly string[]) => void = () => undefined,
): Promise<number> =>
  orSayWhy(COULD_NOT_RUN, [ConfigError, UnreadableError, AdminPortError], async () => {
    try {
      await command()
      return 0
    } catch (error) {
      if (!MISTAKES.some((kind) => error instanceof kind)) throw error
      console.error((error as Error).message)
      tell((error as Error).message.split('\n'))
      return HAS_MISTAKES
    }
  })

/** Thrown if the file cannot be read at all. */
class UnreadableError extends Error {
  override readonly name = 'UnreadableError'
}

/** Reads a file. @throws UnreadableError */
export function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new UnreadableError(`${path} cannot be read: ${reasonOf(error)}`, { cause: error })
  }
}
