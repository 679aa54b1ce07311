import type { Paging } from '../src/mapping/request.ts'

/** How to page through any paginated v1 list (docs/contract.md 11). */
export const v1Paging: Paging = { page: 'page', perPage: 'perPage', mostPerPage: 200 }
