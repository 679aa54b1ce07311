import { readAdminPortConfig } from '../../app/command-config.ts'
import { ConfigError } from '../../app/config/config-error.ts'
import { AdminPortError, type AdminPortOptions, adminUrl, askAdmin } from '../admin-port.ts'
import { printable } from '../printable.ts'

const COULD_NOT_ASK = 2

/** Errors of a connection that was never made: nothing has been sent. */
const NEVER_SENT =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EACCES|EADDRNOTAVAIL|EPROTO|UND_ERR_CONNECT_TIMEOUT)$|CERT|ERR_SSL|ERR_TLS|UNABLE_TO/

/** Statuses whose message says why something was refused. */
const REFUSED: readonly number[] = [400, 404, 409]

/** What the admin port answered: what was asked for, or why it refused. */
export type Asked = { readonly answer: unknown } | { readonly refused: string; readonly answer: unknown }

/**
 * Asks the admin port about the cut-over.
 * @param path without a leading slash.
 * @param order the body to POST; undefined: GET.
 * @throws AdminPortError if it could not be asked, or cannot answer now.
 */
export async function askCutover(path: string, { admin, token }: AdminPortOptions, order?: object): Promise<Asked> {
  const config = readAdminPortConfig()
  const url = adminUrl(path, admin, config)
  const { status, text } = await askAdmin(url, token ?? config.adminToken, order).catch((error: unknown) => {
    throw error instanceof AdminPortError ? error : unanswered(url, error as NodeJS.ErrnoException, order !== undefined)
  })
  const answer = parsed(text)
  const message = messageIn(text)
  if (status === 200 && typeof answer === 'object' && answer !== null) return { answer }
  if (message === undefined) {
    throw new AdminPortError(
      `${url.href} does not report a cut-over (${status}): is it the admin port of this gateway?`,
    )
  }
  if (REFUSED.includes(status)) return { refused: printable(message), answer }
  throw new AdminPortError(`the gateway at ${url.origin} answers ${status}: ${printable(message)}`)
}

/** Runs a command and returns its exit code. If it could not ask, prints why. */
export async function orCouldNotAsk(run: () => Promise<number>): Promise<number> {
  try {
    return await run()
  } catch (error) {
    const isExpected = error instanceof AdminPortError || error instanceof ConfigError
    console.error(isExpected ? error.message : error)
    return COULD_NOT_ASK
  }
}

/** Returns why no gateway answered, and whether an order may have been carried out. */
export function unanswered(url: URL, { code, message }: NodeJS.ErrnoException, isOrder: boolean): AdminPortError {
  const reason = code ?? message
  return isOrder && !NEVER_SENT.test(reason)
    ? new AdminPortError(
        `the gateway at ${url.origin} did not answer (${reason}): the order may have been carried out; check with cutover status`,
      )
    : new AdminPortError(`no gateway answers at ${url.origin} (${reason}): give its admin port with --admin URL`)
}

/** Returns the message of an answer; undefined: it has none. */
export function messageIn(text: string): string | undefined {
  const message = (parsed(text) as { readonly message?: unknown } | null | undefined)?.message
  return typeof message === 'string' ? message : undefined
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
