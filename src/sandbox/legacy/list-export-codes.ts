import { z } from 'zod'
import { selectExportCodes } from '../store/export-codes.ts'
import { authorize } from './authorize.ts'
import { type LegacyOperation, ok } from './operation.ts'
import { wholeList } from './pagination.ts'
import { readQuery } from './read-request.ts'
import { referenceOrder } from './reference-order.ts'

const query = z.object(referenceOrder(['name', 'code', 'id']))

/** docs/contract.md 6.15: not paginated. *Assumed*: the members are those of v1. */
export const listExportCodes: LegacyOperation = {
  method: 'GET',
  path: '/api/export/code',
  answer(call) {
    authorize(call)
    const { rows } = selectExportCodes(call.service.db, { ...wholeList, ...readQuery(call, query) })
    return ok(rows.map(({ id, code, name }) => ({ id, code, name })))
  },
}
