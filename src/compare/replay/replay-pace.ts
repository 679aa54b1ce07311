/** Time, as far as pacing needs it. */
export interface Clock {
  /** In ms; only goes forward. */
  now(): number
  /** Resolves after so many ms, or as soon as waiting makes no sense any more. */
  sleep(milliseconds: number): Promise<void>
}

/**
 * Lets at most `perSecond` pass in a second, evenly; undefined: as many as come. Time in which nobody came is not made up
 * for afterwards.
 */
export function pacer(perSecond: number | undefined, { now, sleep }: Clock): () => Promise<void> {
  if (perSecond === undefined) return async () => undefined
  const gap = 1_000 / perSecond
  let next = Number.NEGATIVE_INFINITY
  return async () => {
    const wait = next - now()
    next = Math.max(next, now()) + gap
    if (wait > 0) await sleep(wait)
  }
}
