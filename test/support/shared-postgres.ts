import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import { asSuperuser, type PostgresServer, settingsOf, urlOf } from './postgres.ts'

/** A server that others use too: each test has a schema of its own. */
export type SharedPostgres = Pick<PostgresServer, 'port' | 'url' | 'settings' | 'query'>

/** Returns the server that all files of this run share; undefined if PostgreSQL is not installed. It does not wait for the disk. */
export function sharedPostgres(): SharedPostgres | undefined {
  const shared = inject('sharedPostgres')
  if (shared === undefined) return undefined
  const { port, folder } = shared
  return { port, url: urlOf(port), settings: settingsOf(port), query: (text) => asSuperuser(folder, port, text) }
}

/** Returns a name that no other schema has. The gateway creates the schema. */
export const newSchema = (): string => `s_${randomBytes(6).toString('hex')}`
