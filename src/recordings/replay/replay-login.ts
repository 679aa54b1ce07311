import type { ExchangeRequest, SideAnswer } from '../../exchange/exchange.ts'
import type { Operation } from '../../mapping/operation.ts'
import type { Ask } from './replay.ts'
import { ReplayError } from './replay.ts'

export interface Account {
  readonly clientId: string
  readonly secretKey: string
}

/**
 * Logs in to a side and returns its token.
 * @param operation the login's mapping.
 * @param side the side's name in messages.
 * @throws ReplayError if the login is refused, or its answer holds no token.
 */
export async function logIn(
  ask: Ask,
  { legacy, login }: Pick<Operation, 'legacy' | 'login'>,
  account: Account,
  side: string,
): Promise<string> {
  if (login === undefined) throw new ReplayError('no mapping is a login')
  const answer = await ask(loginRequest({ legacy, login }, account)).catch((cause: unknown) => {
    const kind = cause instanceof Error && 'kind' in cause ? String(cause.kind) : 'no answer'
    throw new ReplayError(`${side}: the login was not answered (${kind})`, { cause })
  })
  const { status, failure } = answer
  if (failure !== undefined) throw new ReplayError(`${side}: the login was not answered (${failure})`)
  if (status < 200 || status > 299) throw new ReplayError(`${side}: the login was refused (status ${status})`)
  const token = tokenIn(answer, login.token)
  if (token === undefined) throw new ReplayError(`${side}: the login was answered without a token that can be sent`)
  return token
}

/** Returns the legacy request that logs in with an account. */
export const loginRequest = (
  { legacy, login }: Required<Pick<Operation, 'legacy' | 'login'>>,
  { clientId, secretKey }: Account,
): ExchangeRequest => ({
  ...legacy,
  query: '',
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify({ [login.client]: clientId, [login.secret]: secretKey })),
})

/** Visible ASCII: the token68 of RFC 9110 section 11.2, and a few characters more. */
const TOKEN = /^[\x21-\x7e]+$/

/** Whether a token can be sent in a header. */
export const isToken = (text: string): boolean => TOKEN.test(text)

/** Returns the token in the answer to a login; undefined: it has none that can be sent. */
export function tokenIn({ body }: SideAnswer, name: string): string | undefined {
  try {
    const root = JSON.parse(Buffer.from(body).toString()) as Readonly<Record<string, unknown>> | null
    const token = root?.[name]
    return typeof token === 'string' && isToken(token) ? token : undefined
  } catch {
    return undefined
  }
}

/** A side that is asked with a token of its own. */
export interface Renewing {
  readonly ask: Ask
  /** Why the side could not be logged in to again, undefined if it could or need not be. */
  problem(): string | undefined
}

const UNAUTHORIZED = 401

/**
 * Asks a side with a token, and logs in again when the side refuses the token: it may have expired. A call that was refused is sent
 * once more with the new token, also a write: with a 401 a service has not carried it out. A path that is refused with a new token
 * too does not lead to another login, and neither does anything after a login has failed.
 */
export function renewing(askWith: (token: string) => Ask, firstToken: string, logIn: () => Promise<string>): Renewing {
  let token = firstToken
  let loggingIn: Promise<unknown> | undefined
  let problem: string | undefined
  const refusedAnyway = new Set<string>()

  /** Gets a new token, unless that has happened since `used` was sent. */
  const renew = async (used: string): Promise<boolean> => {
    if (used !== token) return true
    loggingIn ??= logIn()
      .then((renewed) => {
        token = renewed
      })
      .catch((error: unknown) => {
        problem = error instanceof Error ? error.message : String(error)
      })
      .finally(() => {
        loggingIn = undefined
      })
    await loggingIn
    return used !== token
  }

  return {
    async ask(request) {
      const used = token
      const answer = await askWith(used)(request)
      const isFinal = answer.status !== UNAUTHORIZED || problem !== undefined || refusedAnyway.has(request.path)
      if (isFinal || !(await renew(used))) return answer
      const again = await askWith(token)(request)
      if (again.status === UNAUTHORIZED) refusedAnyway.add(request.path)
      return again
    },
    problem: () => problem,
  }
}
