/** The clock that pacing uses. */
export interface Clock {
  /** Milliseconds of a monotonic clock. */
  now(): number
  /** Resolves after `milliseconds`, or earlier if the replay is aborted. */
  sleep(milliseconds: number): Promise<void>
}

/**
 * Returns a function that resolves at most `perSecond` times a second, evenly spaced; undefined: without a limit. After an idle
 * time there is no burst.
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
