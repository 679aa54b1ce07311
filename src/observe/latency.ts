/** Upper bounds in milliseconds, each about 1.5 times the previous one. Slower calls go into one more bucket. */
const BOUNDS: readonly number[] = [
  0.5, 1, 1.5, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1_000, 1_500, 2_000, 3_000, 5_000,
  7_000, 10_000, 15_000, 20_000, 30_000, 60_000,
]

/** The number of buckets in a histogram of latencies. */
export const LATENCY_BUCKETS = BOUNDS.length + 1

/** Returns the bucket of a latency. */
export function latencyBucket(milliseconds: number): number {
  let low = 0
  let high = BOUNDS.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (milliseconds <= (BOUNDS[middle] ?? Number.POSITIVE_INFINITY)) high = middle
    else low = middle + 1
  }
  return low
}

/**
 * Estimates the latency in milliseconds that this share of the calls does not exceed. Assumes that calls are evenly spread
 * within a bucket, and takes the last bound for all slower ones. Undefined without calls.
 */
export function latencyQuantile(histogram: ArrayLike<number>, share: number): number | undefined {
  const total = Array.from(histogram).reduce((sum, count) => sum + count, 0)
  if (total === 0) return undefined
  const wanted = share * total
  let before = 0
  for (let bucket = 0; bucket < BOUNDS.length; bucket++) {
    const count = histogram[bucket] ?? 0
    if (count > 0 && before + count >= wanted) {
      const low = BOUNDS[bucket - 1] ?? 0
      const high = BOUNDS[bucket] ?? low
      return low + ((high - low) * (wanted - before)) / count
    }
    before += count
  }
  return BOUNDS.at(-1)
}
