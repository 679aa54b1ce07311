import type { PostgresSettings } from './postgres-settings.ts'

/** What logs and messages call a database: `postgres://host:5432/name`, without user, password and parameters. */
export function databaseName({ hosts, database }: Pick<PostgresSettings, 'hosts' | 'database'>): string {
  return `postgres://${hosts.map(hostName).join(',')}/${encodeURIComponent(database)}`
}

/** `host:5432`, or the folder of a Unix socket in the form used in a URL. */
export function hostName({ host, port }: PostgresSettings['hosts'][number]): string {
  return `${host.includes(':') ? `[${host}]` : encodeURIComponent(host)}:${port}`
}
