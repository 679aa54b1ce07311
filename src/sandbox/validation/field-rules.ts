import type { DatabaseSync } from 'node:sqlite'
import { findCountry } from '../store/references.ts'
import type { Violation } from './validate.ts'
import { type Message, messages } from './validation-messages.ts'

/** Returns a violation unless the rule is met. */
export function unless(isMet: boolean, path: string, message: Message): Violation[] {
  return isMet ? [] : [{ path, message }]
}

/** The record that a field refers to must exist. A field that is missing or not valid is not checked. */
export function mustExist<Key>(
  path: string,
  key: Key | null | undefined,
  find: (key: Key) => object | undefined,
): Violation[] {
  return key === undefined || key === null ? [] : unless(find(key) !== undefined, path, messages.unknown)
}

/** The country of a destination must be served by carriers. */
export function mustBeServed(db: DatabaseSync, path: string, countryId: number | undefined): Violation[] {
  const country = countryId === undefined ? undefined : findCountry(db, countryId)
  return [
    ...mustExist(path, countryId, () => country),
    ...unless(country?.isCarrierService !== 0, path, messages.notServed),
  ]
}
