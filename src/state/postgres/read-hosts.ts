import type { UrlParts } from './parse-postgres-url.ts'
import type { PostgresSettings } from './postgres-settings.ts'
import type { Given } from './read-postgres-settings.ts'

const DEFAULT_PORT = '5432'
/** A name or an address; or the folder of a Unix socket. */
const HOST = /^([\w.:%-]+|\/.*)$/

/**
 * Returns the hosts in the order in which they are tried. Adds what is wrong with them to `problems`.
 * @param host one or several, separated by commas, as are ports. A single port applies to all hosts.
 */
export function readHosts(
  inUrl: UrlParts['hosts'],
  host: Given | undefined,
  port: Given | undefined,
  problems: string[],
): PostgresSettings['hosts'] {
  const names = host?.value.split(',') ?? inUrl.map((each) => each.host)
  const at = host?.at ?? 'STATE_DB'
  if (names.every((name) => name === '')) {
    problems.push('STATE_DB names no host, and PGHOST is not set')
    return []
  }
  if (!names.every((name) => HOST.test(name)))
    problems.push(`${at} has an invalid host: expected names, addresses or paths`)
  const ports = port?.value.split(',') ?? []
  if (ports.length > 1 && ports.length !== names.length)
    problems.push(`${port?.at} must be one port, or one for each host`)
  return names.map((name, index) => {
    // With `?host=`, the URL may have a port without a host: `postgres://:5433/name?host=/run/postgresql`.
    const own = (host === undefined ? inUrl[index] : inUrl.length === 1 ? inUrl[0] : undefined)?.port
    const text = own ?? (ports.length > 1 ? ports[index] : ports[0]) ?? DEFAULT_PORT
    const isPort = /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535
    if (!isPort)
      problems.push(
        `${own === undefined ? port?.at : 'STATE_DB'} has a port that is not a whole number from 1 to 65535`,
      )
    return { host: name, port: isPort ? Number(text) : 0 }
  })
}
