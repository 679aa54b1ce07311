import { dayOf } from '../../common/time.ts'
import { Refusal } from './errors/refusal.ts'
import type { Call, Gateway } from './gateway.ts'
import { clientOf } from './login/client-names.ts'
import type { StandardHeaders } from './standard-headers.ts'

/** The longest `Retry-After`, in seconds. Clients should not wait longer, because an operator may end the brownout early. */
const LONGEST_S = 3_600

/** The address of v1 comes first in the header `Link`, if it is there. */
const SUCCESSOR = /^<([^>]+)>; rel="successor-version"/

/**
 * Refuses a call that a brownout hits (docs/brownouts.md). The message names the successor: the address in the header
 * `Link`, or the path in v1 if v1's address is not published.
 * @throws Refusal.
 */
export function refuseInBrownout(call: Call, gateway: Gateway, headersOf: StandardHeaders): void {
  const { operation, at } = call
  if (operation === undefined) return
  const brownout = gateway.brownouts.of(operation.mapping.id, clientIn(call, gateway), at)
  if (brownout === undefined) return
  call.notes.brownout = brownout.n
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
      ...(sunset !== undefined && { date: dayOf(sunset) }),
    },
    headers: {
      'retry-after': String(Math.min(Math.ceil((brownout.until - at) / 1_000), LONGEST_S)),
      'x-gateway-brownout': String(brownout.n),
    },
  })
}

/**
 * Returns the client's name in the rollout file. For a token that a service issued, the name comes from the login, at this or
 * another replica. The brownout then spares or hits the client by that name, whichever token it uses.
 */
function clientIn(call: Call, { knownTokens }: Gateway): string {
  const { authorization } = call.request.headers
  const isOurs = call.credentials.client !== undefined || authorization === undefined
  return (isOurs ? undefined : knownTokens.get(authorization)?.clientId) ?? clientOf(call)
}
