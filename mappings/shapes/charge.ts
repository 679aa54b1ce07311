import { list, object, promised, same, shape, timestamp } from '../../src/mapping/shape.ts'
import { idSlug } from './id-slug.ts'
import { pagination } from './pagination.ts'

const transaction = shape('Transaction of a charge', {
  id: same('int'),
  trackingNumber: same('string'),
  type: object(idSlug),
})

/** docs/contract.md 7.2. */
const charge = shape('Consignment charge', {
  id: same('int'),
  amount: same('number'),
  createdAt: timestamp(),
  transaction: object(transaction),
  billingStatus: object(idSlug),
  typeMask: same('string'),
})

/** docs/contract.md 6.9. */
export const chargePage = shape('Page of charges', {
  data: promised('array', list(charge)),
  pagination: promised('object', object(pagination)),
})
