/** One-sided 95 %: the 0.95 quantile of the standard normal distribution. */
const Z = 1.6448536269514722
const Z2 = Z * Z

/**
 * Of the share of matches among all exchanges there could be: with 95 % confidence it is at least this much, given the
 * matches among those that were compared (E. B. Wilson, 1927). 0 without a match.
 */
export function wilsonLowerBound(matched: number, compared: number): number {
  if (matched === 0) return 0
  const rate = matched / compared
  const centre = rate + Z2 / (2 * compared)
  const margin = Z * Math.sqrt((rate * (1 - rate)) / compared + Z2 / (4 * compared * compared))
  return (centre - margin) / (1 + Z2 / compared)
}

/** How many exchanges, all of which match, it takes to prove a match rate: 268 for 0.99. `target` is below 1. */
export function flawlessRun(target: number): number {
  let run = Math.floor((target * Z2) / (1 - target))
  // The division may have been rounded to either side of a whole number.
  while (wilsonLowerBound(run, run) < target) run++
  return run
}

export type Verdict = 'ready' | 'not ready' | 'insufficient data'

/** What comparing has proven of an operation. */
export interface Judgement {
  readonly verdict: Verdict
  /** The match rate to be proven, from 0 to below 1. */
  readonly target: number
  /** Matches among the exchanges that were compared; 0 when there are none. */
  readonly matchRate: number
  readonly lowerBound: number
  /** How many exchanges are still missing before even a flawless run reaches the target; 0: there are enough. */
  readonly needed: number
}

/** Judges an operation. `hasDifferences`: a class of difference counts, so that it is not ready, however rare that is. */
export function judge(seen: {
  readonly matched: number
  readonly compared: number
  readonly target: number
  readonly hasDifferences: boolean
}): Judgement {
  const { matched, compared, target, hasDifferences } = seen
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
