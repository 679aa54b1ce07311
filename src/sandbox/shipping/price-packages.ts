import type { Language } from '../language.ts'
import type { CarrierRow } from '../store/carriers.ts'
import type { CountryRow } from '../store/countries.ts'
import { chargeableWeightOf, desiOf, type Measures } from './measure.ts'

/** All amounts are whole hundredths of a dollar. */
export interface Quote {
  readonly packages: readonly PricedPackage[]
  readonly freight: number
  readonly fuelSurcharge: number
  /** The additional fees of all packages together. */
  readonly additionalFees: number
  readonly peak: number
  readonly remoteArea: number
  readonly total: number
}

export interface PricedPackage {
  readonly measures: Measures
  readonly desi: number
  readonly chargeableWeight: number
  /** For all pieces. */
  readonly freight: number
  readonly additionalFees: readonly AdditionalFee[]
}

export interface AdditionalFee {
  readonly slug: string
  readonly name: Readonly<Record<Language, string>>
  /** For all pieces of the package. */
  readonly amount: number
}

export interface Destination {
  readonly country: CountryRow
  readonly zipCode: string | null | undefined
}

/*
 * The tariff. All of it is *assumed* (docs/contract.md 13.7).
 */

/** The additional fees: when each is due, and its amount per piece. */
const additionalFees = [
  {
    slug: 'OVERSIZE',
    name: { tr: 'Büyük boyut ücreti', en: 'Oversize fee' },
    amount: 2500,
    isDue: ({ length, size, height }: Measures) => Math.max(length, size, height) > 120,
  },
  {
    slug: 'OVERWEIGHT',
    name: { tr: 'Ağır paket ücreti', en: 'Overweight fee' },
    amount: 2000,
    isDue: ({ weight }: Measures) => weight > 32,
  },
] as const

const remoteAreaHundredths = 3000
const peakPercent = 10

/**
 * Returns the price of packages with one carrier. `piece` is the number of equal pieces; `day` starts with YYYY-MM-DD.
 */
export function pricePackages(
  carrier: CarrierRow,
  { country, zipCode }: Destination,
  packages: readonly (Measures & { readonly piece: number })[],
  day: string,
): Quote {
  const zonePercent = zonePercentOf(country)
  const priced = packages.map(({ piece, ...measures }): PricedPackage => {
    const chargeableWeight = chargeableWeightOf(measures)
    const perPiece = carrier.openingHundredths + chargeableWeight * 2 * carrier.halfKiloHundredths
    return {
      measures,
      desi: desiOf(measures),
      chargeableWeight,
      freight: piece * percentOf(perPiece, zonePercent),
      additionalFees: additionalFees
        .filter(({ isDue }) => isDue(measures))
        .map(({ slug, name, amount }) => ({ slug, name, amount: piece * amount })),
    }
  })
  const freight = sum(priced.map((each) => each.freight))
  const fuelSurcharge = percentOf(freight, carrier.fuelPercent)
  const fees = sum(priced.flatMap((each) => each.additionalFees.map(({ amount }) => amount)))
  const peak = isPeak(day) ? percentOf(freight, peakPercent) : 0
  const remoteArea = isRemote(zipCode) ? remoteAreaHundredths : 0
  return {
    packages: priced,
    freight,
    fuelSurcharge,
    additionalFees: fees,
    peak,
    remoteArea,
    total: sum([freight, fuelSurcharge, fees, peak, remoteArea]),
  }
}

/**
 * Returns the percentage by the world zone of the calling code: Europe is nearest, the Americas and Oceania are
 * furthest.
 */
function zonePercentOf({ phoneCode }: CountryRow): number {
  if (/^\+[34]/.test(phoneCode)) return 100
  return /^\+[79]/.test(phoneCode) ? 130 : 160
}

/** Whether a day is in November or December. */
function isPeak(day: string): boolean {
  return /^\d+-1[12]-/.test(day)
}

/** Whether a zip code starts with 99, like those of Alaska. */
function isRemote(zipCode: string | null | undefined): boolean {
  return zipCode?.startsWith('99') ?? false
}

function percentOf(hundredths: number, percent: number): number {
  return Math.round((hundredths * percent) / 100)
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0)
}
