import { z } from 'zod'
import type { Language } from '../language.ts'
import { selectUnitsOfMeasure, type UnitOfMeasureRow } from '../store/units-of-measure.ts'
import { pagination, sortOrder } from '../validation/query-parameters.ts'
import { authorize } from './authorize.ts'
import type { Endpoint } from './endpoint.ts'
import { list } from './envelope.ts'
import { readQuery } from './read-request.ts'

/** docs/contract.md 4.13. *Assumed*: all values of sortBy except orderNumber. */
const query = z.object({
  ...pagination({ perPage: 50 }),
  sortBy: z.enum(['orderNumber', 'name', 'code', 'id']).default('orderNumber'),
  sortOrder: sortOrder(),
})

/** *Assumed* (docs/contract.md 13.2). */
const item = z.object({
  id: z.int(),
  code: z.string(),
  name: z.string().meta({ description: 'In the language of Accept-Language' }),
})

/** docs/contract.md 4.13. */
export const listUnitsOfMeasure: Endpoint = {
  method: 'GET',
  path: '/api/v1/shared/units-of-measure',
  says: 'Lists units of measure.',
  needsToken: true,
  query,
  item,
  answer(call) {
    authorize(call)
    const request = readQuery(call, query)
    const units = selectUnitsOfMeasure(call.service.db, request)
    return list('Ölçü birimleri listelendi.', units, request, (row) => presentUnit(row, call.language))
  },
}

function presentUnit({ id, code, nameEn, nameTr }: UnitOfMeasureRow, language: Language): z.infer<typeof item> {
  return { id, code, name: language === 'en' ? nameEn : nameTr }
}
