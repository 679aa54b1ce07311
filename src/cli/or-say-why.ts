import { ConfigError } from '../app/config/config-error.ts'
import { MappingError } from '../engine/compile/compile-operations.ts'
import { StartError } from '../http/listen.ts'

/**
 * Runs a command. If it fails, prints the error and exits with 1: only the message if an operator can fix the cause,
 * otherwise the stack too.
 */
export async function orSayWhy(command: () => Promise<void>): Promise<void> {
  try {
    await command()
  } catch (error) {
    const isExpected = error instanceof ConfigError || error instanceof StartError || error instanceof MappingError
    console.error(isExpected ? error.message : error)
    process.exitCode = 1
  }
}
