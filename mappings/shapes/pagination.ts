import { from, same, shape } from '../../src/mapping/shape.ts'

/** The contract, Legacy invoice list: `pagination`, listed whole. */
export const pagination = shape(
  'Pagination',
  { count: from('total'), page: same(), perPage: same(), lastPage: from('pageCount') },
  { closed: true },
)
