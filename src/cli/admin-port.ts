import { request } from 'undici'
import type { AdminPortConfig } from '../app/command-config.ts'

const TIMEOUT_MS = 30_000

/** The admin port cannot be asked, for a reason that an operator can change. */
export class AdminPortError extends Error {
  override readonly name = 'AdminPortError'
}

/** What a command may be told of the admin port. */
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
 * @param path without a slash before it.
 * @param given what the option --admin says; undefined: the port is where it is configured to listen.
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
 * Asks the admin port. Rejects with the system's error.
 * @param order what to POST, as JSON; undefined: GET.
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
