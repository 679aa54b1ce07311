/** How many of how many. */
export interface Share {
  readonly count: number
  readonly of: number
}

/** Halvings of an interval of length 1, after which nothing changes that a decision depends on. */
const HALVINGS = 40

/**
 * Whether the true share is above `limit`. With independent trials and a true share of at most `limit` the answer is wrong with probability
 * `doubt` at most, even if it is asked after each trial, for ever: the uniform mixture of H. Robbins (1970), in which
 * 1 / ((trials + 1) × probability of what was seen) is a martingale, and J. Ville's inequality (docs/decisions/0076).
 */
export const shareAlwaysAbove = (seen: Share, limit: number, doubt: number): boolean =>
  seen.count > seen.of * limit && isUnlikely(seen, limit, doubt)

/** Returns a bound that the true share is above with probability `doubt` at most, at any time; 1: nothing is known. */
export function shareAlwaysBelow(seen: Share, doubt: number): number {
  let [low, high] = [seen.of === 0 ? 1 : seen.count / seen.of, 1]
  for (let halving = 0; halving < HALVINGS && low < high; halving++) {
    const middle = (low + high) / 2
    if (isUnlikely(seen, middle, doubt)) high = middle
    else low = middle
  }
  return high
}

const isUnlikely = (seen: Share, share: number, doubt: number): boolean =>
  logProbability(seen, share) <= Math.log(doubt) - Math.log(seen.of + 1)

/** The logarithm of the probability of exactly so many of so many, if each is with probability `share`. */
function logProbability({ count, of }: Share, share: number): number {
  const others = of - count
  const ways = logFactorial(of) - logFactorial(count) - logFactorial(others)
  return ways + times(count, Math.log(share)) + times(others, Math.log1p(-share))
}

/** Nothing, none times, is nothing, also of infinity. */
const times = (count: number, logarithm: number): number => (count === 0 ? 0 : count * logarithm)

/** Stirling's series, right to 10 digits from 10 on. */
function logFactorial(number: number): number {
  if (number < SMALL.length) return SMALL[number] ?? 0
  const inverse = 1 / number
  const rest = inverse / 12 - inverse ** 3 / 360 + inverse ** 5 / 1260
  return number * Math.log(number) - number + Math.log(2 * Math.PI * number) / 2 + rest
}

const SMALL = [1, 1, 2, 6, 24, 120, 720, 5040, 40_320, 362_880].map(Math.log)
