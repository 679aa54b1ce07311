import type { DatabaseSync } from 'node:sqlite'
import { findCountry } from '../store/references.ts'
import type { Violation } from './validate.ts'
import { type Message, messages } from './validation-messages.ts'

/** No violation when there is nothing to judge or when the field meets the rule. */
export function unless(isMet: boolean, path: string, message: Message): Violation[] {
  return isMet ? [] : [{ path, message }]
}

/** A record named by a field must be there; a field that is not sent, or not sound, is not judged. */
export function mustExist<Key>(
  path: string,
  key: Key | null | undefined,
  find: (key: Key) => object | undefined,
): Violation[] {
  return key === undefined || key === null ? [] : unless(find(key) !== undefined, path, messages.unknown)
}

/** A destination's country must be one that carriers go to. */
export function mustBeServed(db: DatabaseSync, path: string, countryId: number | undefined): Violation[] {
  const country = countryId === undefined ? undefined : findCountry(db, countryId)
  return [
    ...mustExist(path, countryId, () => country),
    ...unless(country?.isCarrierService !== 0, path, messages.notServed),
  ]
}
