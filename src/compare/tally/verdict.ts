/** One-sided 95 %: the 0.95 quantile of the standard normal distribution. */
const Z = 1.6448536269514722
const Z2 = Z * Z

/**
 * Returns the lower bound of the true match rate, with 95 % confidence, given the matches among the compared exchanges
 * (E. B. Wilson, 1927). 0 without a match.
 */
export function wilsonLowerBound(matched: number, compared: number): number {
  if (matched === 0) return 0
  const rate = matched / compared
  const centre = rate + Z2 / (2 * compared)
  const margin = Z * Math.sqrt((rate * (1 - rate)) / compared + Z2 / (4 * compared * compared))
  return (centre - margin) / (1 + Z2 / compared)
}

/** Returns how many exchanges, all matching, prove a match rate: 268 for 0.99. `target` is below 1. */
export function flawlessRun(target: number): number {
  let run = Math.floor((target * Z2) / (1 - target))
  // Rounding may have put the quotient on either side of a whole number.
  while (wilsonLowerBound(run, run) < target) run++
  return run
}

export type Verdict = 'ready' | 'not ready' | 'insufficient data'

/** The verdict on an operation, with the figures behind it. */
export interface Judgement {
  readonly verdict: Verdict
  /** The match rate to prove, from 0 to below 1. */
  readonly target: number
  /** The share of matches among the compared exchanges; 0 if there are none. */
  readonly matchRate: number
  readonly lowerBound: number
  /** Exchanges still missing before even a flawless run could reach the target; 0: there are enough. */
  readonly needed: number
}

/** Judges an operation. `hasDifferences`: some class of difference counts, so it is not ready, however rare the class is. */
export function judge(results: {
  readonly matched: number
  readonly compared: number
  readonly target: number
  readonly hasDifferences: boolean
}): Judgement {
  const { matched, compared, target, hasDifferences } = results
  const lowerBound = wilsonLowerBound(matched, compared)
  const proven = lowerBound >= target ? 'ready' : 'insufficient data'
  return {
    verdict: hasDifferences ? 'not ready' : proven,
    target,
    matchRate: compared === 0 ? 0 : matched / compared,
    lowerBound,
    needed: Math.max(0, flawlessRun(target) - compared),
  }
}
