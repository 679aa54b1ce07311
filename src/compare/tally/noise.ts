/** What is known of a path, in exchanges in which the control was asked twice. */
export interface NoiseCounts {
  /** Candidate and control differ there. */
  readonly raw: number
  /** The control's own two answers differ there. */
  readonly noise: number
  /** All of them. */
  readonly total: number
}

/** Diffy's thresholds, as shares. */
const RELATIVE = 0.2
const ABSOLUTE = 0.0003

/** Whether the differences at a path are more than the control's own: Diffy's rule. */
export function exceedsNoise({ raw, noise, total }: NoiseCounts): boolean {
  if (raw <= noise) return false
  const excess = raw - noise
  return excess / (raw + noise) > RELATIVE && excess / total > ABSOLUTE
}
