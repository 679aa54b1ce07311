import { z } from 'zod'
import { type CurrencyRow, selectCurrencies } from '../store/currencies.ts'
import { authorize } from './authorize.ts'
import { type LegacyOperation, ok } from './operation.ts'
import { wholeList } from './pagination.ts'
import { readQuery } from './read-request.ts'
import { referenceOrder } from './reference-order.ts'
import { legacyTimestamp } from './timestamp.ts'

/** Columns of the store by legacy name, where the names differ. */
const columns = { sellingRateTry: 'sellingTry', buyingRateTry: 'buyingTry' } as const

/** docs/contract.md 6.13: v1 added codes and isDefined, so legacy does not know them. */
const query = z.object(referenceOrder(['name', 'code', 'id', 'updatedAt', 'sellingRateTry', 'buyingRateTry']))

/** docs/contract.md 6.13: not paginated. */
export const listCurrencies: LegacyOperation = {
  method: 'GET',
  path: '/api/currency',
  answer(call) {
    authorize(call)
    const { sortBy, sortOrder } = readQuery(call, query)
    const column = sortBy === 'sellingRateTry' || sortBy === 'buyingRateTry' ? columns[sortBy] : sortBy
    const { rows } = selectCurrencies(call.service.db, {}, { ...wholeList, sortBy: column, sortOrder })
    return ok(rows.map(presentCurrency))
  },
}

/**
 * docs/contract.md 6.13: `rate` and `updatedAt` instead of v1's rates, no flagPath. *Assumed*: the members of `rate`.
 */
function presentCurrency({ id, code, name, sellingTry, buyingTry, updatedAt }: CurrencyRow) {
  const rate = { sellingRateTry: sellingTry, buyingRateTry: buyingTry }
  return { id, code, name, rate, updatedAt: legacyTimestamp(updatedAt) }
}
