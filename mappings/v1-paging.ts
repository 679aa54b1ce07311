import type { Paging } from '../src/mapping/paging.ts'

/** docs/contract.md 11: all paginated v1 lists. */
export const v1Paging: Paging = { page: 'page', perPage: 'perPage', mostPerPage: 200 }
