import type { Call } from './call.ts'
import { Refusal } from './errors/refusal.ts'
import type { Gateway } from './gateway.ts'
import { clientOf } from './login/client-of.ts'
import type { Notes } from './notes.ts'
import type { StandardHeaders } from './standard-headers.ts'

/** A client should look again after this time at the latest: the brownout may have been ended. In seconds. */
const LONGEST_S = 3_600

/** The address of v1 is the first in the header `Link`, if it is there. */
const SUCCESSOR = /^<([^>]+)>; rel="successor-version"/

/**
 * Refuses a call that a brownout hits (docs/cutover.md "Brownouts"). Its message names what takes over: the address of the header
 * `Link`, or the path in v1 where v1's address is not published.
 * @throws Refusal.
 */
export function refuseInBrownout(call: Call, gateway: Gateway, headersOf: StandardHeaders, notes: Notes): void {
  const { operation, at } = call
  if (operation === undefined) return
  const brownout = gateway.brownouts.of(operation.mapping.id, clientIn(call, gateway), at)
  if (brownout === undefined) return
  notes.refusedInBrownout(brownout.n)
  const { link, sunset } = headersOf(operation)
  const { v1 } = operation.mapping
  const successor = v1 && `${v1.method} ${SUCCESSOR.exec(link ?? '')?.[1] ?? v1.path}`
  const parts = [
    'brownout',
    ...(successor === undefined ? [] : ['successor']),
    ...(sunset === undefined ? [] : ['sunset']),
  ]
  throw new Refusal(brownout.status, parts.join('-'), {
    values: {
      ...(successor !== undefined && { successor }),
      ...(sunset !== undefined && { date: new Date(sunset).toISOString().slice(0, 10) }),
    },
    headers: {
      'retry-after': String(Math.min(Math.ceil((brownout.until - at) / 1_000), LONGEST_S)),
      'x-gateway-brownout': String(brownout.n),
    },
  })
}

/**
 * Returns the client's name in the rollout file. Where tokens are the services' own, it is known from the login, here or at another replica; a
 * brownout then spares or hits the client as it is named, whatever the token.
 */
function clientIn(call: Call, { knownTokens }: Gateway): string {
  const { authorization } = call.request.headers
  const isOurs = call.credentials.client !== undefined || authorization === undefined
  return (isOurs ? undefined : knownTokens.get(authorization)?.clientId) ?? clientOf(call)
}
