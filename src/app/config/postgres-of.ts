import { readFileSync } from 'node:fs'
import { isPostgresUrl } from '../../state/postgres/parse-postgres-url.ts'
import type { PostgresSettings } from '../../state/postgres/postgres-settings.ts'
import { PostgresSettingsError } from '../../state/postgres/postgres-settings-error.ts'
import { readPostgresSettings } from '../../state/postgres/read-postgres-settings.ts'

/** Returns how to connect to PostgreSQL, if `STATE_DB` is its URL. Adds to `problems` what is wrong with the settings. */
export function postgresOf(
  stateDb: string,
  schema: string,
  set: Readonly<Record<string, string | undefined>>,
  problems: string[],
): PostgresSettings | undefined {
  if (!isPostgresUrl(stateDb)) return undefined
  try {
    return readPostgresSettings(stateDb, set, schema, (path) => readFileSync(path, 'utf8'))
  } catch (error) {
    if (!(error instanceof PostgresSettingsError)) throw error
    problems.push(...error.problems)
    return undefined
  }
}
