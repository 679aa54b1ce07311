/** The number of times to halve an interval of length 1. Further halving would change nothing that a report shows. */
const STEPS = 50

/**
 * Returns the exact one-sided lower bound of a share, given the successes among the trials (C. J. Clopper and E. S. Pearson,
 * 1934). With this confidence the true share is not below the bound. Without a success the bound is 0.
 */
export function lowerBoundOf(successes: number, trials: number, confidence: number): number {
  if (successes === 0) return 0
  const failures = trials - successes
  const alpha = 1 - confidence
  if (failures === 0) return alpha ** (1 / trials)
  let [low, high] = [0, successes / trials]
  for (let step = 0; step < STEPS; step++) {
    const middle = (low + high) / 2
    if (atMost(failures, trials, middle) > alpha) high = middle
    else low = middle
  }
  return low
}

/** Returns the probability of at most this many failures if each trial succeeds with the probability `share`. */
function atMost(failures: number, trials: number, share: number): number {
  const odds = Math.log1p(-share) - Math.log(share)
  let term = trials * Math.log(share)
  let sum = Math.exp(term)
  for (let failed = 1; failed <= failures; failed++) {
    term += Math.log((trials - failed + 1) / failed) + odds
    sum += Math.exp(term)
  }
  return sum
}

/** Returns how many trials, all successful, prove a share: 299 for 0.99 at a confidence of 0.95. `share` is below 1. */
export const flawlessRun = (share: number, confidence: number): number =>
  // Minus a rounding error, so that a whole number is not rounded up.
  Math.ceil(Math.log(1 - confidence) / Math.log(share) - 1e-9)
