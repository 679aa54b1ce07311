import { from, object, same, shape, timestamp } from '../../src/mapping/shape.ts'
import { idSlug } from './id-slug.ts'

/** docs/contract.md 7.1 lists the legacy item completely. */
export const invoice = shape(
  'Invoice list item',
  {
    id: same('int'),
    number: same('string'),
    dateAt: timestamp(),
    paymentExpirationAt: timestamp(),
    priceTry: same('number'),
    priceUsd: same('number'),
    firstName: same('string'),
    lastName: same('string'),
    citizenshipNumber: same('string'),
    company: same('string'),
    taxNumber: same('string'),
    isPaid: same('bool'),
    status: object(idSlug),
    addressType: object(idSlug),
    'currency.code': from('currencyCode', 'string'),
  },
  { closed: true, v1Only: { organizationId: 'added in v1' } },
)
