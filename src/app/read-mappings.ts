import { readFileSync } from 'node:fs'
import { reasonOf } from '../common/reason-of.ts'
import { loadMappings, shipped } from '../data-plane/gateway/load-mappings.ts'
import { correctedOperations } from '../mapping/corrections/corrected-operations.ts'
import { CorrectionsError } from '../mapping/corrections/corrections.ts'
import { parseCorrections } from '../mapping/corrections/parse-corrections.ts'
import type { Operation } from '../mapping/operation.ts'
import { ConfigError } from './config.ts'

/**
 * Returns the shipped mappings as MAPPING_FILE corrects them. For commands, which read it once.
 * @param path undefined: nothing corrects them.
 * @param name what names the file in messages.
 * @throws ConfigError that lists the mistakes of the file.
 */
export function readMappings(path: string | undefined, name = 'MAPPING_FILE'): readonly Operation[] {
  if (path === undefined) return shipped
  try {
    const operations = correctedOperations(shipped, parseCorrections(textOf(path)))
    loadMappings(operations)
    return operations
  } catch (error) {
    throw new ConfigError((error as Error).message.split('\n').map((line) => `${name}: ${line}`))
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new CorrectionsError([`${path} cannot be read: ${reasonOf(error)}`], { cause: error })
  }
}
