import type { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import type { Service } from '../service.ts'
import { findRow } from '../store/sandbox-rows.ts'
import { optionalText, recordId } from '../validation/body-fields.ts'
import { bodyOf, mustExist, type Rules, unless } from '../validation/validate-request.ts'
import { messages } from '../validation/validation-messages.ts'

/** *Assumed*: the members (docs/contract.md 13.1), and that city and zip code are checked only if they are sent. */
const destinationBody = z.object({
  countryId: recordId(),
  city: optionalText(100),
  zipCode: optionalText(20),
})

/** *Assumed*: what makes a destination unsuitable. */
function destinationRules({ db }: Service): Rules<z.output<typeof destinationBody>> {
  return ({ countryId, city, zipCode }) => {
    const country = countryId === undefined ? undefined : findRow(db, 'countries', { id: countryId })
    return [
      ...mustBeServed(db, 'countryId', countryId),
      ...unless(!city || /\p{Letter}/u.test(city), 'city', messages.noCity),
      ...unless(!zipCode || !country || isZipCodeOf(country.code, zipCode), 'zipCode', messages.noZipCode),
    ]
  }
}

export const destinationRequest = bodyOf(destinationBody, destinationRules)

/** The country of a destination must be served by carriers. */
export function mustBeServed(db: DatabaseSync, path: string, countryId: number | undefined) {
  const country = countryId === undefined ? undefined : findRow(db, 'countries', { id: countryId })
  return [
    ...mustExist(path, countryId, () => country),
    ...unless(country?.isCarrierService !== 0, path, messages.notServed),
  ]
}

/**
 * Patterns of zip codes, by country code. *Assumed*: in other countries any zip code is valid. Blanks are matched as
 * usually written.
 */
const zipCodes: Readonly<Record<string, RegExp>> = {
  ...ofDigits(4, 'AT AU BE CH DK NO'),
  ...ofDigits(5, 'DE ES FI FR IT TR'),
  CA: /^[A-Z]\d[A-Z] ?\d[A-Z]\d$/i,
  GB: /^[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}$/i,
  JP: /^\d{3}-?\d{4}$/,
  NL: /^\d{4} ?[A-Z]{2}$/i,
  PL: /^\d{2}-\d{3}$/,
  SE: /^\d{3} ?\d{2}$/,
  US: /^\d{5}(-\d{4})?$/,
}

function isZipCodeOf(countryCode: string, zipCode: string): boolean {
  return zipCodes[countryCode]?.test(zipCode) ?? true
}

function ofDigits(length: number, countryCodes: string): Record<string, RegExp> {
  return Object.fromEntries(countryCodes.split(' ').map((code) => [code, new RegExp(`^\\d{${length}}$`)]))
}
