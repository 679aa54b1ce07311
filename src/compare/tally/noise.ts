/** The noise at a path, counted in exchanges whose control was asked twice. */
export interface NoiseCounts {
  /** Exchanges whose candidate and control differ there. */
  readonly raw: number
  /** Exchanges whose two control answers differ there. */
  readonly noise: number
  /** All exchanges whose control was asked twice. */
  readonly total: number
}

/** Diffy's thresholds, as shares. */
const RELATIVE = 0.2
const ABSOLUTE = 0.0003

/** Whether the differences at a path exceed the control's own noise, by Diffy's rule. */
export function exceedsNoise({ raw, noise, total }: NoiseCounts): boolean {
  if (raw <= noise) return false
  const excess = raw - noise
  return excess / (raw + noise) > RELATIVE && excess / total > ABSOLUTE
}
