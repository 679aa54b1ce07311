import type { Paging } from '../src/mapping/paging.ts'

/** The contract, Limits and Pagination rules: all paginated v1 lists. */
export const v1Paging: Paging = { page: 'page', perPage: 'perPage', mostPerPage: 200 }
