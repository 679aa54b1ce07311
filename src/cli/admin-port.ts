import { request } from 'undici'
import { type AdminPortConfig, readAdminPortConfig } from '../app/command-config.ts'
import { ConfigError } from '../app/config.ts'
import { orSayWhy, printable } from './printing.ts'
import { secretOf } from './secret-file.ts'

const TIMEOUT_MS = 30_000
const COULD_NOT_ASK = 2

/** Errors of a connection that was never made: nothing has been sent. */
const NEVER_SENT =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EACCES|EADDRNOTAVAIL|EPROTO|UND_ERR_CONNECT_TIMEOUT)$|CERT|ERR_SSL|ERR_TLS|UNABLE_TO/

/** Statuses whose message says why something was refused. */
const REFUSED: readonly number[] = [400, 404, 409]

/** The admin port cannot be asked, for a reason that an operator can fix. */
export class AdminPortError extends Error {
  override readonly name: string = 'AdminPortError'
}

/** No gateway answers. */
export class NoAnswer extends AdminPortError {
  override readonly name = 'NoAnswer'
  readonly origin: string
  /** Nothing listens there. */
  readonly isRefused: boolean

  constructor(message: string, origin: string, isRefused: boolean) {
    super(message)
    this.origin = origin
    this.isRefused = isRefused
  }
}

/** The options of a command that say where the admin port is. */
export interface AdminPortOptions {
  readonly admin?: string | undefined
  readonly token?: string | undefined
  readonly tokenFile?: string | undefined
}

/** What to ask, besides the path. */
interface Question {
  /** The body to POST, as JSON; undefined: GET. */
  readonly order?: object | undefined
  /** What to do if no gateway answers; unset: to give the address. */
  readonly advice?: string | undefined
}

interface AdminAnswer {
  readonly url: URL
  readonly status: number
  readonly text: string
}

/** What the admin port answered: what was asked for, or why it refused. */
export type Asked = { readonly answer: unknown } | { readonly refused: string; readonly answer: unknown }

/**
 * Asks the admin port.
 * @param path without a leading slash.
 * @throws AdminPortError if it cannot be asked, or refuses the token; OptionsError if the file of the token cannot be used.
 */
export async function askAdmin(
  path: string,
  { admin, token, tokenFile }: AdminPortOptions,
  config: AdminPortConfig = readAdminPortConfig(),
  { order, advice }: Question = {},
): Promise<AdminAnswer> {
  const url = adminUrl(path, admin, config)
  const bearer = secretOf({ option: '--token', value: token, file: tokenFile }) ?? config.adminToken
  const answered = await ask(url, bearer, order).catch((error: NodeJS.ErrnoException) => {
    const reason = error.code ?? error.message
    const isDone = order !== undefined && !NEVER_SENT.test(reason)
    throw new NoAnswer(
      isDone
        ? `the gateway at ${url.origin} did not answer (${reason}): the order may have been carried out; check with cutover status`
        : `no gateway answers at ${url.origin} (${reason}): ${advice ?? 'give its admin port with --admin URL'}`,
      url.origin,
      reason === 'ECONNREFUSED',
    )
  })
  if (answered.status !== 401) return { url, ...answered }
  throw new AdminPortError(`the gateway at ${url.origin} refuses the token: set ADMIN_TOKEN, or give --token-file`)
}

/** @param admin the option --admin; undefined: the address where the port is configured to listen. */
function adminUrl(path: string, admin: string | undefined, { adminHost, adminPort }: AdminPortConfig): URL {
  const host = ['0.0.0.0', '::'].includes(adminHost) ? '127.0.0.1' : adminHost
  const base = admin ?? `http://${host.includes(':') ? `[${host}]` : host}:${adminPort}`
  const url = URL.canParse(base) ? new URL(base) : undefined
  if (url === undefined || !['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '') {
    throw new AdminPortError(
      '--admin must be an http or https URL without credentials, for instance http://127.0.0.1:8081',
    )
  }
  return new URL(path, url.href.endsWith('/') ? url.href : `${url.href}/`)
}

/** Rejects with the system's error if there is no answer. */
async function ask(url: URL, token: string | undefined, order: object | undefined): Promise<Omit<AdminAnswer, 'url'>> {
  const { statusCode, body } = await request(url, {
    ...{ headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS },
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(order !== undefined && { 'content-type': 'application/json' }),
    },
    ...(order !== undefined && { method: 'POST', body: JSON.stringify(order) }),
  })
  return { status: statusCode, text: await body.text() }
}

/**
 * Asks the admin port about the cut-over.
 * @param path without a leading slash.
 * @param order the body to POST; undefined: GET.
 * @throws AdminPortError if it could not be asked, or cannot answer now.
 */
export async function askCutover(path: string, options: AdminPortOptions, order?: object): Promise<Asked> {
  const { url, status, text } = await askAdmin(path, options, readAdminPortConfig(), { order })
  const answer = parsed(text)
  const message = messageIn(text)
  if (status === 200 && typeof answer === 'object' && answer !== null) return { answer }
  if (message === undefined) throw notAdminPort(url, status)
  if (REFUSED.includes(status)) return { refused: printable(message), answer }
  throw new AdminPortError(`the gateway at ${url.origin} answers ${status}: ${printable(message)}`)
}

/** The answer to a question about the cut-over is not one. */
export const notAdminPort = (url: URL, status: number): AdminPortError =>
  new AdminPortError(`${url.href} does not report a cut-over (${status}): is it the admin port of this gateway?`)

/** Runs a command and returns its exit code. If it could not ask, prints why. */
export const orCouldNotAsk = (command: () => Promise<number>): Promise<number> =>
  orSayWhy(COULD_NOT_ASK, [AdminPortError, ConfigError], command)

/** Returns the message of an answer; undefined: it has none. */
export function messageIn(text: string): string | undefined {
  const message = (parsed(text) as { readonly message?: unknown } | null | undefined)?.message
  return typeof message === 'string' ? message : undefined
}

/** Parses JSON; undefined: the text is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
