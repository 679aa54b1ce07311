import type { ConfigError } from '../app/config.ts'
import { readMappings } from '../app/read-mappings.ts'
import { rolloutParser } from '../app/rollout-parser.ts'
import type { Surroundings } from '../control-plane/rollout/contradictions.ts'
import { watchRollout } from '../control-plane/rollout/rollout-file.ts'

/**
 * Returns every mistake in MAPPING_FILE and ROLLOUT_FILE.
 * @param there what the rollout file depends on; unset: everything is there.
 */
export function mistakesInFiles(
  { mappingFile, rolloutFile: path }: NonNullable<ConfigError['files']>,
  there?: Surroundings,
): readonly string[] {
  const problems: string[] = []
  let operations = readMappings(undefined)
  try {
    operations = readMappings(mappingFile)
  } catch (error) {
    problems.push(...(error as ConfigError).problems)
  }
  try {
    if (path !== undefined) watchRollout({ path, parse: rolloutParser(operations, there) }).close()
  } catch (error) {
    problems.push(...(error as Error).message.split('\n').map((line) => `ROLLOUT_FILE: ${line}`))
  }
  return problems
}
