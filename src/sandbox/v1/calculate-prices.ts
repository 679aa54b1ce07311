import type { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import type { Language } from '../language.ts'
import { pricedPackage, pricedPackages, priceRequest, priceRules } from '../orders/price-request.ts'
import type { Quote } from '../shipping/price-packages.ts'
import { quoteCarriers } from '../shipping/quote-carriers.ts'
import type { CarrierRow } from '../store/carriers.ts'
import { nullMembers } from '../validation/null-members.ts'
import type { Rules } from '../validation/validate.ts'
import { messages } from '../validation/validation-messages.ts'
import { authorize } from './authorize.ts'
import type { Endpoint } from './endpoint.ts'
import { wholeList } from './envelope.ts'
import { presentCarrier } from './present-carrier.ts'
import { readBody } from './read-request.ts'

/** *Assumed*: the id of a package, which is not supported, is a violation, not ignored. */
const body = priceRequest.extend({
  packages: pricedPackages(pricedPackage.extend({ id: z.never().optional() })),
})

/** docs/contract.md 4.2. *Assumed*: a field that the service does not have must not be null either. Items of arrays are no fields. */
const MAY_BE_NULL = /^(city|zipCode|date|packages\[\d+\]\.piece)$/

function v1Rules(db: DatabaseSync): Rules<z.output<typeof body>> {
  const common = priceRules(db)
  return (sent) => {
    const nulls = nullMembers(sent).filter((path) => !MAY_BE_NULL.test(path))
    return [...common(sent), ...nulls.map((path) => ({ path, message: messages.notNull }))]
  }
}

/**
 * docs/contract.md 4.2. *Assumed*: status 200; one quote per carrier, sorted by carrier id; a missing date means today.
 */
export const calculatePrices: Endpoint = {
  method: 'POST',
  path: '/api/v1/shipment/price-calculations',
  says: 'Quotes the prices of carriers for packages.',
  needsToken: true,
  body,
  async answer(call) {
    authorize(call)
    const { service, language } = call
    const quotes = quoteCarriers(service, await readBody(call, body, v1Rules(service.db)))
    return wholeList(
      'Fiyatlar hesaplandı.',
      quotes.map(({ carrier, quote }) => presentQuote(carrier, quote, language)),
    )
  },
}

/**
 * *Assumed*: all members except `fuelSurcharge`, `packages` and those of an additional fee; and that prices are in USD.
 */
function presentQuote(carrier: CarrierRow, quote: Quote, language: Language) {
  return {
    carrier: presentCarrier(carrier),
    currencyCode: 'USD',
    freightPrice: quote.freight / 100,
    fuelSurcharge: quote.fuelSurcharge / 100,
    peakPrice: quote.peak / 100,
    remoteAreaPrice: quote.remoteArea / 100,
    totalPrice: quote.total / 100,
    packages: quote.packages.map(({ measures, desi, chargeableWeight, freight, additionalFees }) => ({
      ...measures,
      desi,
      chargeableWeight,
      freightPrice: freight / 100,
      additionalFees: additionalFees.map(({ slug, name, amount }) => ({
        slug,
        name: name[language],
        amount: amount / 100,
      })),
    })),
  }
}
