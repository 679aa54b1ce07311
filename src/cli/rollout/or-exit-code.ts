import { ConfigError } from '../../app/config/config-error.ts'
import { RolloutError } from '../../compare/rollout/rollout.ts'
import { AdminPortError } from '../admin-port.ts'
import { UnreadableError } from './read-rollout.ts'

/** 1: the rollout file has mistakes. 2: it could not be judged. */
const EXIT_CODES = { mistakes: 1, 'could not run': 2 }

/** Runs a command about a rollout file and returns its exit code: 0, or one of `EXIT_CODES`. If it failed, prints why. */
export async function orExitCode(command: () => Promise<void>): Promise<number> {
  try {
    await command()
    return 0
  } catch (error) {
    const isExpected = [RolloutError, ConfigError, UnreadableError, AdminPortError].some(
      (kind) => error instanceof kind,
    )
    console.error(isExpected ? (error as Error).message : error)
    return EXIT_CODES[error instanceof RolloutError ? 'mistakes' : 'could not run']
  }
}
