import type { Asked, Observation } from './observation.ts'
import type { Reply } from './reply.ts'

/** Sends the same request to a side once more. */
export interface AskAgain {
  control(): Promise<Reply>
  candidate(): Promise<Reply>
}

/**
 * Observes an exchange. If its answers differ, asks both sides once more, control first, so that changed data do not count as
 * a difference (docs/decisions/0060). Does not ask again if the candidate failed.
 * @param again undefined: neither side may be asked again.
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
