import { from, same, shape } from '../../src/mapping/shape.ts'

/** docs/contract.md 7.4 lists `pagination` completely. */
export const pagination = shape(
  'Pagination',
  { count: from('total', 'int'), page: same('int'), perPage: same('int'), lastPage: from('pageCount', 'int') },
  { closed: true },
)
