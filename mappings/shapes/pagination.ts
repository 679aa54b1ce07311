import { from, same, shape } from '../../src/mapping/shape.ts'

/** The contract, Legacy invoice list: `pagination`, listed whole. */
export const pagination = shape(
  'Pagination',
  { count: from('total', 'int'), page: same('int'), perPage: same('int'), lastPage: from('pageCount', 'int') },
  { closed: true },
)
