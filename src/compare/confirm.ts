import { type Asked, type Observation, observation } from './observe-exchange.ts'
import type { Reply } from './read-reply.ts'

/** Asks a side the same once more. */
export interface AskAgain {
  control(): Promise<Reply>
  candidate(): Promise<Reply>
}

/**
 * Observes an exchange. Where its answers differ, both sides are asked once more, control first, so that data that changed
 * is not taken for a difference (docs/decisions/0060). A candidate that failed is not.
 * @param again undefined: nobody may be asked again.
 */
export async function observeAndConfirm(asked: Asked, again: AskAgain | undefined): Promise<Observation> {
  const first = observation(asked)
  const differs = first.outcome === 'mismatched' && first.differences.every(({ kind }) => kind !== 'failure')
  if (!differs || again === undefined) return first
  const control2 = asked.control2 ?? (await again.control())
  return observation({ ...asked, control2, candidate2: await again.candidate() })
}
