import { z } from 'zod'
import type { Language } from '../language.ts'
import { pricedPackage, pricedPackages, priceRequest, priceRules } from '../orders/price-request.ts'
import type { PricedPackage } from '../shipping/price-packages.ts'
import { quoteCarriers } from '../shipping/quote-carriers.ts'
import { recordId } from '../validation/body-fields.ts'
import { authorize } from './authorize.ts'
import { type LegacyOperation, ok } from './operation.ts'
import { presentCarrier } from './present-carrier.ts'
import { readBody } from './read-request.ts'

/**
 * The request of v1, with an id for each package. *Assumed*: null means the same as a missing field, even where v1
 * refuses null; an id is any number or text.
 */
const body = priceRequest.extend({
  carrierId: recordId().nullish(),
  packages: pricedPackages(pricedPackage.extend({ id: z.union([z.number(), z.string().max(255)]).nullish() })),
})

type SentPackage = z.output<typeof body>['packages'][number]

/** docs/contract.md 6.2: the quotes are a root array; they have fuelSurcharges, and more members in each package row. */
export const calculatePrices: LegacyOperation = {
  method: 'POST',
  path: '/api/calculate/price',
  async answer(call) {
    authorize(call)
    const { service, language } = call
    const sent = await readBody(call, body, priceRules(service.db))
    const quotes = quoteCarriers(service, sent).map(({ carrier, quote }) => ({
      carrier: presentCarrier(carrier),
      currencyCode: 'USD',
      freightPrice: quote.freight / 100,
      fuelSurcharges: quote.fuelSurcharge / 100,
      peakPrice: quote.peak / 100,
      remoteAreaPrice: quote.remoteArea / 100,
      totalPrice: quote.total / 100,
      packages: quote.packages.map((row, index) => presentPackage(row, sent.packages[index], language)),
    }))
    return ok(quotes)
  },
}

/** *Assumed*: id and piece come from the request; null if it has none. */
function presentPackage(priced: PricedPackage, sent: SentPackage | undefined, language: Language) {
  const { measures, desi, chargeableWeight, freight, additionalFees } = priced
  return {
    id: sent?.id ?? null,
    ...measures,
    piece: sent?.piece ?? null,
    perimeter: perimeterOf(measures),
    desi,
    chargeableWeight,
    freightPrice: freight / 100,
    additionalFees: additionalFees.map(({ slug, name, amount }) => ({
      type: slug,
      desc: name[language],
      value: amount / 100,
    })),
  }
}

/** *Assumed*: the length plus the girth, as carriers measure, to the tenth of a millimetre. */
function perimeterOf({ length, size, height }: PricedPackage['measures']): number {
  return Math.round((length + 2 * (size + height)) * 100) / 100
}
