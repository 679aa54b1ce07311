import { z } from 'zod'
import { type ChargeRow, selectCharges } from '../store/charges.ts'
import { billingStatuses, shipmentTypes } from '../store/shipment-names.ts'
import { sortOrder } from '../validation/query-parameters.ts'
import { authorize } from './authorize.ts'
import type { LegacyOperation } from './operation.ts'
import { page, pagination } from './pagination.ts'
import { readFilters } from './read-request.ts'
import { legacyTimestamp } from './timestamp.ts'

/**
 * No filters are documented (docs/contract.md 13.1), so there are none. *Assumed*: pages and order as in the invoice
 * list.
 */
const filters = z.object({
  ...pagination(),
  sortBy: z.enum(['id', 'amount', 'createdAt']).default('id'),
  sortOrder: sortOrder(),
})

/** docs/contract.md 6.9. v1 has no equivalent. *Assumed*: lists only the organization's own charges. */
export const listCharges: LegacyOperation = {
  method: 'POST',
  path: '/api/transaction/charge/list',
  async answer(call) {
    const organizationId = authorize(call)
    const request = await readFilters(call, filters)
    return page(selectCharges(call.service.db, organizationId, request), request, presentCharge)
  },
}

/** docs/contract.md 7.2. */
function presentCharge(row: ChargeRow) {
  const { id: typeId, slug } = shipmentTypes[row.typeId]
  return {
    id: row.id,
    amount: row.amountHundredths / 100,
    createdAt: legacyTimestamp(row.createdAt),
    transaction: { id: row.transactionId, trackingNumber: row.trackingNumber, type: { id: typeId, slug } },
    billingStatus: { id: row.billingStatusId, slug: billingStatuses[row.billingStatusId] },
    typeMask: row.typeMask,
  }
}
