import { ConfigError } from '../app/config/config-error.ts'
import { MappingError } from '../engine/compile/mapping-error.ts'
import { StartError } from '../http/listen.ts'

/** Runs a command. What an operator can put right is said in a sentence, anything else with its stack; exit 1. */
export async function orSayWhy(command: () => Promise<void>): Promise<void> {
  try {
    await command()
  } catch (error) {
    const isExpected = error instanceof ConfigError || error instanceof StartError || error instanceof MappingError
    console.error(isExpected ? error.message : error)
    process.exitCode = 1
  }
}
