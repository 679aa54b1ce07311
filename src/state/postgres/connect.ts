import type { ConnectionOptions } from 'node:tls'
import { type Connection, openConnection } from './connection.ts'
import { databaseName, hostName } from './database-name.ts'
import { PostgresError } from './postgres-error.ts'
import type { PostgresSettings } from './postgres-settings.ts'
import { tlsOptions } from './tls-options.ts'

type Host = PostgresSettings['hosts'][number]

/** Opens a connection to the first host that can be written to; if there is none, to the first that answers. */
export type Connect = (isBackground: boolean) => Promise<Connection>

/**
 * Makes a `Connect` that tries the hosts in order.
 * @param signal destroys all connections, including those that are being opened.
 * @throws PostgresError when the `Connect` is called; it says for each host why it failed.
 */
export function connecting(settings: PostgresSettings, signal: AbortSignal): Connect {
  const name = databaseName(settings)
  const { hosts, tls: wanted } = settings
  const tls = wanted && tlsOptions(wanted)
  const open = async (host: Host, isBackground: boolean): Promise<Connection> => {
    const target = { host, settings, isBackground, signal }
    // A Unix socket never has TLS.
    const secure: ConnectionOptions | undefined = host.host.startsWith('/') ? undefined : tls
    try {
      return await openConnection({ ...target, tls: secure }, name)
    } catch (error) {
      if (secure === undefined || wanted?.mode !== 'prefer' || !(error instanceof PostgresError) || !error.hasNoTls)
        throw error
      return openConnection({ ...target, tls: undefined }, name)
    }
  }
  return async (isBackground) => {
    const [only] = hosts
    if (only !== undefined && hosts.length === 1) return open(only, isBackground)
    let readOnly: Connection | undefined
    const problems: string[] = []
    for (const host of hosts) {
      try {
        const connection = await open(host, isBackground)
        const { rows } = await connection.query('SHOW transaction_read_only')
        if (rows[0]?.transaction_read_only !== 'on') {
          readOnly?.destroy()
          return connection
        }
        if (readOnly === undefined) readOnly = connection
        else connection.destroy()
      } catch (error) {
        if (!(error instanceof PostgresError)) throw error
        problems.push(`${hostName(host)}: ${error.reason}`)
      }
    }
    if (readOnly !== undefined) return readOnly
    throw new PostgresError(name, { reason: problems.join('; ') })
  }
}
