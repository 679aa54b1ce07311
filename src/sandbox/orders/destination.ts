import type { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import { isZipCodeOf } from '../shipping/zip-codes.ts'
import { findCountry } from '../store/references.ts'
import { optionalText, recordId } from '../validation/body-fields.ts'
import { mustBeServed, unless } from '../validation/field-rules.ts'
import type { Rules } from '../validation/validate.ts'
import { messages } from '../validation/validation-messages.ts'

/** *Assumed*: the members (docs/contract.md 13.1), and that city and zip code are checked only if they are sent. */
export const destination = z.object({
  countryId: recordId(),
  city: optionalText(100),
  zipCode: optionalText(20),
})

/** *Assumed*: what makes a destination unsuitable. */
export function destinationRules(db: DatabaseSync): Rules<z.output<typeof destination>> {
  return ({ countryId, city, zipCode }) => {
    const countryCode = countryId === undefined ? undefined : findCountry(db, countryId)?.code
    return [
      ...mustBeServed(db, 'countryId', countryId),
      ...unless(!city || /\p{Letter}/u.test(city), 'city', messages.noCity),
      ...unless(!zipCode || !countryCode || isZipCodeOf(countryCode, zipCode), 'zipCode', messages.noZipCode),
    ]
  }
}
