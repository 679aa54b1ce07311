import { assumed } from '../src/mapping/basis.ts'
import { get, operation, page, post } from '../src/mapping/operation.ts'
import { calendarDate, integer, written } from '../src/mapping/reader.ts'
import { bodyParameters, query, retired, stitched } from '../src/mapping/request.ts'
import { invoice } from './shapes/invoice.ts'
import { pagination } from './shapes/pagination.ts'
import { v1Paging } from './v1-paging.ts'

const ownName = 'the legacy filters that the contract names are not all there were: v1 has this one under the same name'
const anyTimestamp = 'legacy’s date formats are not shown; of a timestamp the calendar date in UTC is sent'
const mostPages = 2_147_483_647

export default operation('invoice-list', {
  says: 'A GET with query parameters in place of a POST with a body; items and meta in place of data and pagination.',
  legacy: post('/api/invoice/list'),
  v1: get('/api/v1/finance/invoices'),
  request: bodyParameters(
    {
      page: assumed(ownName, query(integer(1, mostPages))),
      perPage: assumed('pages of up to 5,000 rows are put together from v1’s of at most 200', query(integer(1, 5_000))),
      sortBy: assumed(ownName, query(written('string'))),
      sortOrder: assumed(ownName, query(written('string'))),
      search: assumed(ownName, query(written('string'))),
      id: assumed(ownName, query(written('int'))),
      number: assumed(ownName, query(written('string'))),
      isPayment: query(written('bool'), 'isPaid'),
      statusId: assumed(
        'of the removed value 4 v1 has no invoices: an empty page',
        retired(['4'], 'an empty page; v1 is asked for one row all the same', query(written('int'))),
      ),
      'dateAtBetween.startAt': assumed(anyTimestamp, query(calendarDate, 'dateFrom')),
      'dateAtBetween.endAt': assumed(anyTimestamp, query(calendarDate, 'dateTo')),
      'paymentExpirationAtBetween.startAt': assumed(anyTimestamp, query(calendarDate, 'paymentExpirationFrom')),
      'paymentExpirationAtBetween.endAt': assumed(anyTimestamp, query(calendarDate, 'paymentExpirationTo')),
    },
    {
      emptyBody: 'an empty object',
      stitching: assumed(
        'legacy’s limit is not shown; clients that ask for more than 200 rows must not notice v1’s',
        stitched({ paging: v1Paging, defaultPerPage: 25 }),
      ),
    },
  ),
  response: page({ rows: ['data', invoice], meta: ['pagination', pagination] }),
  effect: 'read',
  authorization: 'token',
  example: {
    request: {
      page: 1,
      perPage: 25,
      sortBy: 'dateAt',
      sortOrder: 'desc',
      isPayment: false,
      statusId: 2,
      dateAtBetween: { startAt: '2025-01-01', endAt: '2025-12-31' },
    },
  },
})
