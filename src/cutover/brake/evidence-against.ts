/** A count out of a total. */
export interface Share {
  readonly count: number
  readonly of: number
}

/**
 * Returns the logarithm of the evidence against a true share, given what was seen: how many times as likely the sequence is under Jeffreys' mixture of
 * all shares as under this one. For independent trials with that share it is a martingale that begins at 1. So it ever reaches x with probability 1 / x
 * at most, however often one looks (J. Ville, 1939; H. Robbins, 1970). For independent sequences the logarithms add up.
 */
export function evidenceAgainst(share: number, { count, of }: Share): number {
  const others = of - count
  const mixture = logGamma(count + 0.5) + logGamma(others + 0.5) - logGamma(of + 1) - LOG_PI
  return mixture - times(count, Math.log(share)) - times(others, Math.log1p(-share))
}

const LOG_PI = Math.log(Math.PI)

/** Zero times infinity counts as zero. */
const times = (count: number, logarithm: number): number => (count === 0 ? 0 : count * logarithm)

/** The logarithm of the gamma function, by Stirling's series, which is accurate to 10 digits from 8 upwards. */
function logGamma(number: number): number {
  let [at, less] = [number, 1]
  while (at < 8) less *= at++
  const inverse = 1 / at
  const rest = inverse / 12 - inverse ** 3 / 360 + inverse ** 5 / 1260
  return (at - 0.5) * Math.log(at) - at + Math.log(2 * Math.PI) / 2 + rest - Math.log(less)
}
