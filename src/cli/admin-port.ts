import { request } from 'undici'
import type { AdminPortConfig } from '../app/command-config.ts'

const TIMEOUT_MS = 30_000

/** The admin port cannot be asked, for a reason that an operator can fix. */
export class AdminPortError extends Error {
  override readonly name = 'AdminPortError'
}

/** The options of a command that say where the admin port is. */
export interface AdminPortOptions {
  readonly admin?: string | undefined
  readonly token?: string | undefined
}

export interface AdminAnswer {
  readonly status: number
  readonly text: string
}

/**
 * Returns the address of a path of the admin port.
 * @param path without a leading slash.
 * @param given the option --admin; undefined: the address where the port is configured to listen.
 * @throws AdminPortError
 */
export function adminUrl(path: string, given: string | undefined, { adminHost, adminPort }: AdminPortConfig): URL {
  const host = ['0.0.0.0', '::'].includes(adminHost) ? '127.0.0.1' : adminHost
  const base = given ?? `http://${host.includes(':') ? `[${host}]` : host}:${adminPort}`
  const url = URL.canParse(base) ? new URL(base) : undefined
  if (url === undefined || !['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '') {
    throw new AdminPortError(
      '--admin must be an http or https URL without credentials, for instance http://127.0.0.1:8081',
    )
  }
  return new URL(path, url.href.endsWith('/') ? url.href : `${url.href}/`)
}

/**
 * Asks the admin port. Rejects with the system's error if there is no answer.
 * @param order the body to POST, as JSON; undefined: GET.
 * @throws AdminPortError if the token is refused.
 */
export async function askAdmin(url: URL, token: string | undefined, order?: object): Promise<AdminAnswer> {
  const { statusCode, body } = await request(url, {
    ...{ headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS },
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(order !== undefined && { 'content-type': 'application/json' }),
    },
    ...(order !== undefined && { method: 'POST', body: JSON.stringify(order) }),
  })
  const text = await body.text()
  if (statusCode !== 401) return { status: statusCode, text }
  throw new AdminPortError(`the gateway at ${url.origin} refuses the token: set ADMIN_TOKEN, or give --token`)
}
