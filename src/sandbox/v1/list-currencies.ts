import { z } from 'zod'
import { type CurrencyRow, selectCurrencies } from '../store/currencies.ts'
import { bool, codes, pagination, sortOrder } from '../validation/query-parameters.ts'
import { authorize } from './authorize.ts'
import type { Endpoint } from './endpoint.ts'
import { list } from './envelope.ts'
import { readQuery } from './read-request.ts'

/**
 * docs/contract.md 4.12, row by row. *Assumed*: the minimum length of `codes` is that of the whole list; 1 and 0 are no
 * values of `isDefined`.
 */
const query = z.object({
  ...pagination({ perPage: 50 }),
  sortBy: z.enum(['orderNumber', 'name', 'code', 'id', 'updatedAt', 'sellingTry', 'buyingTry']).default('orderNumber'),
  sortOrder: sortOrder(),
  codes: codes(3).optional(),
  isDefined: bool().optional(),
})

/**
 * docs/contract.md 5.3. *Assumed*: the name is Turkish in every language, because currencies are not among the names
 * that follow Accept-Language (docs/contract.md 2.3); a missing rate is 0.
 */
const item = z.object({
  id: z.int(),
  code: z.string(),
  name: z.string(),
  flagPath: z.string(),
  rates: z.object({
    sellingTry: z.number(),
    buyingTry: z.number(),
    updatedAt: z.iso.datetime(),
  }),
})

/** docs/contract.md 4.12. */
export const listCurrencies: Endpoint = {
  method: 'GET',
  path: '/api/v1/shared/currencies',
  says: 'Lists currencies with the rates of the central bank in TRY.',
  needsToken: true,
  query,
  item,
  answer(call) {
    authorize(call)
    const { page, perPage, sortBy, sortOrder, ...filter } = readQuery(call, query)
    const currencies = selectCurrencies(call.service.db, filter, { page, perPage, sortBy, sortOrder })
    return list('Para birimleri listelendi.', currencies, { page, perPage }, presentCurrency)
  },
}

function presentCurrency(row: CurrencyRow): z.infer<typeof item> {
  const { id, code, name, flagPath, sellingTry, buyingTry, updatedAt } = row
  return { id, code, name, flagPath, rates: { sellingTry, buyingTry, updatedAt } }
}
