import { z } from 'zod'
import type { Language } from '../language.ts'
import { type CountryRow, selectCountries } from '../store/countries.ts'
import { flag, pagination, sortOrder, text, wholeNumber } from '../validation/query-parameters.ts'
import type { Endpoint } from './endpoint.ts'
import { list } from './envelope.ts'
import { readQuery } from './read-request.ts'

/** docs/contract.md 4.9, row by row. */
const query = z.object({
  ...pagination({ perPage: 50 }),
  sortBy: z.enum(['orderNumber', 'name', 'code', 'id', 'isGuarantee']).default('orderNumber'),
  sortOrder: sortOrder(),
  id: wholeNumber(1).optional(),
  code: text(1, 8).optional(),
  search: text(1, 255).optional(),
  isGuarantee: flag().optional(),
})

/** docs/contract.md 5.2. */
const item = z.object({
  id: z.int(),
  code: z.string(),
  name: z.string().meta({ description: 'In the language of Accept-Language' }),
  phoneCode: z.string(),
  isCarrierService: z.boolean(),
  tax: z.object({ type: z.string(), maxValidPrice: z.number() }),
  flags: z.object({ w20: z.string(), w40: z.string() }),
})

/** docs/contract.md 4.9: the only list without a token. */
export const listCountries: Endpoint = {
  method: 'GET',
  path: '/api/v1/public/shared/countries',
  says: 'Lists countries.',
  needsToken: false,
  query,
  item,
  answer(call) {
    const { page, perPage, sortBy, sortOrder, ...filter } = readQuery(call, query)
    const countries = selectCountries(call.service.db, filter, { page, perPage, sortBy, sortOrder })
    return list('Ülkeler listelendi.', countries, { page, perPage }, (row) => presentCountry(row, call.language))
  },
}

function presentCountry(row: CountryRow, language: Language): z.infer<typeof item> {
  return {
    id: row.id,
    code: row.code,
    name: language === 'en' ? row.nameEn : row.nameTr,
    phoneCode: row.phoneCode,
    isCarrierService: row.isCarrierService === 1,
    tax: { type: row.taxType, maxValidPrice: row.taxMaxValidPrice },
    flags: { w20: row.flagW20, w40: row.flagW40 },
  }
}
