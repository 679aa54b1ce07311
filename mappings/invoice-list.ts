import { get, operation, page, post } from '../src/mapping/operation.ts'
import { calendarDate, integer, written } from '../src/mapping/reader.ts'
import { bodyParameters, query, retired, stitched } from '../src/mapping/request.ts'
import { assumed } from '../src/mapping/shape.ts'
import { invoice } from './shapes/invoice.ts'
import { pagination } from './shapes/pagination.ts'
import { v1Paging } from './v1-paging.ts'

const ownName = 'the contract does not list all legacy filters; v1 has this one under the same name'
const anyTimestamp = 'the contract does not show legacy’s date formats'
const mostPages = 2_147_483_647

export default operation('invoice-list', {
  says: 'A GET with query parameters replaces a POST with a body; items and meta replace data and pagination.',
  legacy: post('/api/invoice/list'),
  v1: get('/api/v1/finance/invoices'),
  request: bodyParameters(
    {
      page: assumed(ownName, query(integer(1, mostPages))),
      perPage: assumed(
        'pages of up to 5,000 rows are stitched from v1’s pages of at most 200',
        query(integer(1, 5_000)),
      ),
      sortBy: assumed(ownName, query(written('string'))),
      sortOrder: assumed(ownName, query(written('string'))),
      search: assumed(ownName, query(written('string'))),
      id: assumed(ownName, query(written('int'))),
      number: assumed(ownName, query(written('string'))),
      isPayment: query(written('bool'), 'isPaid'),
      statusId: assumed(
        'v1 removed the value 4, so no invoice can match it',
        retired(['4'], 'an empty page; v1 is still asked for one row', query(written('int'))),
      ),
      'dateAtBetween.startAt': assumed(anyTimestamp, query(calendarDate(), 'dateFrom')),
      'dateAtBetween.endAt': assumed(anyTimestamp, query(calendarDate(), 'dateTo')),
      'paymentExpirationAtBetween.startAt': assumed(anyTimestamp, query(calendarDate(), 'paymentExpirationFrom')),
      'paymentExpirationAtBetween.endAt': assumed(anyTimestamp, query(calendarDate(), 'paymentExpirationTo')),
    },
    {
      emptyBody: 'an empty object',
      stitching: assumed(
        'the contract does not show legacy’s limit; clients that ask for more than 200 rows must not notice v1’s',
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
