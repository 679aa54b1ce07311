import { z } from 'zod'
import { nameOf } from '../language.ts'
import { selectUnitsOfMeasure } from '../store/units-of-measure.ts'
import { authorize } from './authorize.ts'
import { type LegacyOperation, ok } from './operation.ts'
import { wholeList } from './pagination.ts'
import { readQuery } from './read-request.ts'
import { referenceOrder } from './reference-order.ts'

const query = z.object(referenceOrder(['name', 'code', 'id']))

/** docs/contract.md 6.14: not paginated. *Assumed*: the members are those of v1. */
export const listUnitsOfMeasure: LegacyOperation = {
  method: 'GET',
  path: '/api/unit/of/measure/all',
  answer(call) {
    authorize(call)
    const { rows } = selectUnitsOfMeasure(call.service.db, { ...wholeList, ...readQuery(call, query) })
    return ok(
      rows.map(({ id, code, nameEn, nameTr }) => ({ id, code, name: nameOf({ nameEn, nameTr }, call.language) })),
    )
  },
}
