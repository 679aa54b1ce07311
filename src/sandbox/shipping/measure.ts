/** The measures of a package, in centimetres and kilograms. */
export interface Measures {
  readonly length: number
  readonly size: number
  readonly height: number
  readonly weight: number
}

/** *Assumed*: the divisor of international air freight. */
const cubicCentimetresPerDesi = 5000

/** docs/contract.md 4.5: the only package of a document shipment. */
export const documentPackage: Measures = { length: 0, size: 0, height: 0, weight: 0.5 }

/** Returns the volumetric weight, to two decimals. */
export function desiOf({ length, size, height }: Measures): number {
  return roundTo(2, (length * size * height) / cubicCentimetresPerDesi)
}

/** *Assumed*: carriers charge for the greater of weight and desi, rounded up to half kilograms. */
export function chargeableWeightOf(measures: Measures): number {
  return Math.ceil(roundTo(3, Math.max(measures.weight, desiOf(measures))) * 2) / 2
}

/**
 * Rounds lengths to a tenth of a millimetre and weights to a gram, so that answers show no more digits than a scale.
 */
export function roundMeasures({ length, size, height, weight }: Measures): Measures {
  return { length: roundTo(2, length), size: roundTo(2, size), height: roundTo(2, height), weight: roundTo(3, weight) }
}

/** Converts money into whole hundredths. */
export function toHundredths(amount: number): number {
  return Math.round(roundTo(2, amount) * 100)
}

/** Rounds half up by the decimal digits as written: 1.005 to two decimals is 1.01. */
function roundTo(decimals: number, value: number): number {
  const factor = 10 ** decimals
  return Math.round(value * factor * (1 + Number.EPSILON)) / factor
}
