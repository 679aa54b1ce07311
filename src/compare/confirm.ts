import type { Asked, Observation } from './observe-exchange.ts'
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
export async function observeAndConfirm<Sides extends Pick<Asked, 'control2'>, Result extends Observation>(
  asked: Sides,
  again: AskAgain | undefined,
  observe: (asked: Sides & Pick<Asked, 'control2' | 'candidate2'>) => Result | Promise<Result>,
): Promise<Result> {
  const first = await observe(asked)
  const differs = first.outcome === 'mismatched' && first.differences.every(({ kind }) => kind !== 'failure')
  if (!differs || again === undefined) return first
  const control2 = asked.control2 ?? (await again.control())
  return observe({ ...asked, control2, candidate2: await again.candidate() })
}
