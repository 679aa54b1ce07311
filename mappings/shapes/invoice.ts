import { from, object, same, shape, timestamp } from '../../src/mapping/shape.ts'
import { idSlug } from './id-slug.ts'

/** The contract, Invoice: the legacy item is listed whole. */
export const invoice = shape(
  'Invoice list item',
  {
    id: same(),
    number: same(),
    dateAt: timestamp(),
    paymentExpirationAt: timestamp(),
    priceTry: same(),
    priceUsd: same(),
    firstName: same(),
    lastName: same(),
    citizenshipNumber: same(),
    company: same(),
    taxNumber: same(),
    isPaid: same(),
    status: object(idSlug),
    addressType: object(idSlug),
    'currency.code': from('currencyCode'),
  },
  { closed: true, v1Only: { organizationId: 'added in v1' } },
)
