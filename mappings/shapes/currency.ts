import { assumed, from, same, shape, timestamp } from '../../src/mapping/shape.ts'

const namedAsSorted =
  'the contract does not show the members of legacy’s rate; they take the names of legacy’s sortBy values'

/** docs/contract.md 5.3 and 6.13: legacy has `rate` and `updatedAt` where v1 has `rates`. */
export const currency = shape(
  'Currency',
  {
    id: same('int'),
    code: same('string'),
    name: same('string'),
    'rate.sellingRateTry': assumed(namedAsSorted, from('rates.sellingTry', 'number')),
    'rate.buyingRateTry': assumed(namedAsSorted, from('rates.buyingTry', 'number')),
    updatedAt: timestamp('rates.updatedAt'),
  },
  { v1Only: { flagPath: 'added in v1' } },
)
