import { type Language, nameOf } from '../language.ts'
import type { CountryRow } from '../store/countries.ts'

/**
 * Builds a country of a list or an address. The members of v1's `flags` and `tax` are flat (docs/contract.md 6.5 and
 * 6.10).
 */
export function presentCountry(row: CountryRow, language: Language) {
  return {
    id: row.id,
    code: row.code,
    name: nameOf(row, language),
    phoneCode: row.phoneCode,
    isCarrierService: row.isCarrierService === 1,
    taxType: row.taxType,
    taxMaxValidPrice: row.taxMaxValidPrice,
    flagW20: row.flagW20,
    flagW40: row.flagW40,
  }
}
