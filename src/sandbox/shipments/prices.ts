import { z } from 'zod'
import type { Service } from '../service.ts'
import { ServiceError } from '../service-error.ts'
import { findRow, findRows, mustBeThere } from '../store/sandbox-rows.ts'
import type { Row } from '../store/sandbox-tables.ts'
import { centimetres, count, kilograms, list, optionalText, recordId } from '../validation/body-fields.ts'
import { bodyOf, nullMembers, type Rules } from '../validation/validate-request.ts'
import { messages } from '../validation/validation-messages.ts'
import { mustBeServed } from './destinations.ts'

/** The measures of a package, in centimetres and kilograms. */
export interface Measures {
  readonly length: number
  readonly size: number
  readonly height: number
  readonly weight: number
}

/** A row of `packages`. *Assumed*: the measures are those of a package shipment, and may be 0 like a document's. */
const pricedPackage = z.object({
  length: centimetres(0),
  size: centimetres(0),
  height: centimetres(0),
  weight: kilograms(),
  piece: count(100).nullish(),
})

/**
 * The body of v1. docs/contract.md 4.2 names city, zipCode, date, piece, carrierId and packages. *Assumed*: countryId, and
 * which fields are required; the id of a package, which is not supported, is a violation, not ignored.
 */
const priceBody = z.object({
  countryId: recordId(),
  city: optionalText(100),
  zipCode: optionalText(20),
  date: z.iso.date().nullish(),
  carrierId: recordId().optional(),
  packages: list(pricedPackage.extend({ id: z.never().optional() }), 1, 100),
})

/**
 * The body of legacy, with an id for each package. *Assumed*: null means the same as a missing field, even where v1
 * refuses null; an id is any number or text.
 */
const legacyPriceBody = priceBody.extend({
  carrierId: recordId().nullish(),
  packages: list(pricedPackage.extend({ id: z.union([z.number(), z.string().max(255)]).nullish() }), 1, 100),
})

/** The rules of a request for prices. */
function legacyPriceRules({ db }: Service): Rules<{ countryId: number }> {
  return ({ countryId }) => mustBeServed(db, 'countryId', countryId)
}

/**
 * The rules of v1: null counts as not sent only in these fields (docs/contract.md 4.2). *Assumed*: a field that the service
 * does not have must not be null either. Items of arrays are no fields.
 */
function priceRules(service: Service): Rules<{ countryId: number }> {
  const mayBeNull = /^(city|zipCode|date|packages\[\d+\]\.piece)$/
  return (sent) => {
    const nulls = nullMembers(sent).filter((path) => !mayBeNull.test(path))
    return [...legacyPriceRules(service)(sent), ...nulls.map((path) => ({ path, message: messages.notNull }))]
  }
}

export const priceRequest = bodyOf(priceBody, priceRules)
export const legacyPriceRequest = bodyOf(legacyPriceBody, legacyPriceRules)

export type PriceRequest = z.output<typeof legacyPriceBody>

export type CarrierQuote = ReturnType<typeof quoteCarriers>[number]
export type Quote = ReturnType<typeof pricePackages>

/**
 * Returns the price of each carrier, or only of `carrierId`. Throws CARRIER_IS_NOT_FOUND. *Assumed*: sorted by carrier
 * id; a missing date means today; a missing piece means 1. `sent` has the packages as sent, in the order of the quote.
 */
export function quoteCarriers({ db, now }: Service, request: PriceRequest) {
  const { countryId, zipCode, date, carrierId, packages } = request
  const country = mustBeThere(findRow(db, 'countries', { id: countryId }))
  const carriers = findRows(db, 'carriers').filter(({ id }) => !carrierId || id === carrierId)
  if (carriers.length === 0) throw new ServiceError('CARRIER_IS_NOT_FOUND')
  const rows = packages.map((sent) => ({ ...roundMeasures(sent), piece: sent.piece ?? 1 }))
  const day = date ?? new Date(now()).toISOString()
  return carriers.map((carrier) => ({
    carrier,
    quote: pricePackages(carrier, { country, zipCode }, rows, day),
    sent: packages,
  }))
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
/** The divisor of international air freight. */
const cubicCentimetresPerDesi = 5000

/**
 * Returns the price of packages with one carrier, in whole hundredths of a dollar. `piece` is the number of equal pieces; the
 * amounts of a package are for all of them. `day` starts with YYYY-MM-DD.
 */
export function pricePackages(
  carrier: Row<'carriers'>,
  { country, zipCode }: { country: Row<'countries'>; zipCode: string | null | undefined },
  packages: readonly (Measures & { readonly piece: number })[],
  day: string,
) {
  const zonePercent = zonePercentOf(country)
  const priced = packages.map(({ piece, ...measures }) => {
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
  const isPeak = /^\d+-1[12]-/.test(day)
  const peak = isPeak ? percentOf(freight, peakPercent) : 0
  // Like those of Alaska.
  const isRemote = zipCode?.startsWith('99') ?? false
  const remoteArea = isRemote ? remoteAreaHundredths : 0
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
function zonePercentOf({ phoneCode }: Row<'countries'>): number {
  if (/^\+[34]/.test(phoneCode)) return 100
  return /^\+[79]/.test(phoneCode) ? 130 : 160
}

/** Returns the volumetric weight, to two decimals. */
export function desiOf({ length, size, height }: Measures): number {
  return roundTo(2, (length * size * height) / cubicCentimetresPerDesi)
}

/** Returns the greater of weight and desi, rounded up to half kilograms. */
function chargeableWeightOf(measures: Measures): number {
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

function percentOf(hundredths: number, percent: number): number {
  return Math.round((hundredths * percent) / 100)
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0)
}
