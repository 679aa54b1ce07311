import type { Side } from '../exchange/exchange.ts'
import type { Call } from './call.ts'
import type { ServedOperation } from './compile-answerers.ts'
import type { Gateway } from './gateway.ts'
import { clientOf } from './login/client-of.ts'

/** Returns the side that answers a call: legacy if v1 has no equivalent, otherwise what the rollout says. */
export function chooseSide(
  { route }: Gateway,
  operation: ServedOperation | undefined,
  who: Pick<Call, 'request' | 'credentials'>,
): Side {
  if (operation === undefined || !operation.translates.v1) return 'legacy'
  return route(operation.mapping.id, () => clientOf(who))
}
