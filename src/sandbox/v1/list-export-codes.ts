import { z } from 'zod'
import { type ExportCodeRow, selectExportCodes } from '../store/export-codes.ts'
import { pagination, sortOrder } from '../validation/query-parameters.ts'
import { authorize } from './authorize.ts'
import type { Endpoint } from './endpoint.ts'
import { list } from './envelope.ts'
import { readQuery } from './read-request.ts'

/** docs/contract.md 4.14. *Assumed*: all values of sortBy except orderNumber. */
const query = z.object({
  ...pagination({ perPage: 50 }),
  sortBy: z.enum(['orderNumber', 'name', 'code', 'id']).default('orderNumber'),
  sortOrder: sortOrder(),
})

/** *Assumed* (docs/contract.md 13.2), and that the name is Turkish in every language, like that of a currency. */
const item = z.object({
  id: z.int(),
  code: z.string(),
  name: z.string(),
})

/** docs/contract.md 4.14. */
export const listExportCodes: Endpoint = {
  method: 'GET',
  path: '/api/v1/shared/export-codes',
  says: 'Lists export codes.',
  needsToken: true,
  query,
  item,
  answer(call) {
    authorize(call)
    const request = readQuery(call, query)
    return list('İhracat kodları listelendi.', selectExportCodes(call.service.db, request), request, presentExportCode)
  },
}

function presentExportCode({ id, code, name }: ExportCodeRow): z.infer<typeof item> {
  return { id, code, name }
}
