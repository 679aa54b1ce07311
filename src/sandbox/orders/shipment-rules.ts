import type { DatabaseSync } from 'node:sqlite'
import type { z } from 'zod'
import { findCounty, findHomeCity } from '../store/references.ts'
import { mustBeServed, mustExist, unless } from '../validation/field-rules.ts'
import type { Sound } from '../validation/sound-part.ts'
import type { Rules, Violation } from '../validation/validate.ts'
import { messages } from '../validation/validation-messages.ts'
import type { address, commonFields, newSenderAddress } from './shipment-fields.ts'

type SoundAddress = Sound<z.output<typeof address>>

/*
 * A rule may report a field as missing that is present but invalid. That does no harm, because the schema's violation of
 * that field comes first.
 */

/**
 * The rules for fields of both kinds of shipments. *Assumed*: a recipient that is a company must have a company name.
 */
export const commonRules =
  (db: DatabaseSync): Rules<z.output<z.ZodObject<typeof commonFields>>> =>
  ({ recipientAddress, isRecipientCompany }) => [
    ...addressRules(db, 'recipientAddress', recipientAddress),
    ...unless(
      !isRecipientCompany || !recipientAddress || Boolean(recipientAddress.company),
      'recipientAddress.company',
      messages.required,
    ),
  ]

/** A recipient or billing address must be in a country that carriers serve. */
export function addressRules(db: DatabaseSync, path: string, sent: SoundAddress | null | undefined): Violation[] {
  return mustBeServed(db, `${path}.countryId`, sent?.countryId)
}

/** City and county must exist and match (docs/contract.md 9.2: a mismatch is a violation of the field). */
export function newSenderRules(
  db: DatabaseSync,
  sent: Sound<z.output<typeof newSenderAddress>> | null | undefined,
): Violation[] {
  const path = 'newSenderAddress'
  const [cityId, countyId] = [sent?.city?.id, sent?.county?.id]
  const city = cityId === undefined ? undefined : findHomeCity(db, cityId)
  const county = countyId === undefined ? undefined : findCounty(db, countyId)
  return [
    ...mustExist(`${path}.county.id`, countyId, () => county),
    ...mustExist(`${path}.city.id`, cityId, () => city),
    ...unless(!city || !county || county.cityId === city.id, `${path}.city`, messages.cityMismatch),
  ]
}
