import type { Ask } from './replay.ts'

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
