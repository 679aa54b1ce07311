import { get, operation, wholeList } from '../src/mapping/operation.ts'
import { oneOf, written } from '../src/mapping/reader.ts'
import { query, queryParameters } from '../src/mapping/request.ts'
import { assumed } from '../src/mapping/shape.ts'
import { currency } from './shapes/currency.ts'
import { v1Paging } from './v1-paging.ts'

export default operation('currency-list', {
  says: 'v1 paginates the list. rates replaces rate and updatedAt; sortBy takes sellingTry and buyingTry; codes and isDefined are new.',
  legacy: get('/api/currency'),
  v1: get('/api/v1/shared/currencies'),
  request: queryParameters({
    sortBy: assumed(
      'v1 answers 422 to an unknown value, where legacy used its default order; the new names of the rates are documented',
      query(
        oneOf(['orderNumber', 'name', 'code', 'id', 'updatedAt'], {
          sellingRateTry: 'sellingTry',
          buyingRateTry: 'buyingTry',
        }),
      ),
    ),
    sortOrder: query(written('string')),
  }),
  response: wholeList(currency, v1Paging),
  effect: 'read',
  authorization: 'token',
  example: { request: { sortBy: 'sellingRateTry', sortOrder: 'desc' } },
})
