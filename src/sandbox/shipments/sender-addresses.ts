import type { DatabaseSync } from 'node:sqlite'
import { ServiceError } from '../service-error.ts'
import { foldText } from '../store/fold-text.ts'
import { findRow, findRows } from '../store/sandbox-rows.ts'
import type { NewRow, Row } from '../store/sandbox-tables.ts'

/** *Assumed*: the values of `taxType` (docs/contract.md 13.2). A person has a `tcNo`, a company a `taxNumber`. */
export const taxTypes = { person: 1, company: 2 } as const

/**
 * Returns the organization's sender address with this id; without an id, *assumed*: the first. Throws BAD_REQUEST if
 * the address does not belong to the organization (docs/contract.md 4.5).
 */
export function chooseSender(
  db: DatabaseSync,
  organizationId: number,
  id: number | null | undefined,
): Row<'addresses'> {
  const sender = findRow(db, 'addresses', { organizationId, role: 'sender', ...(id && { id }) })
  if (sender === undefined) throw new ServiceError('BAD_REQUEST')
  return sender
}

/**
 * Throws SENDER_ADDRESS_TAX_INFORMATION_IS_NOT_COMPLETED for an address without tax information. *Assumed*: it is complete if
 * there is a type and the number for that type; the candidates are the cities with the address's city name and their counties,
 * each as {id, name}.
 */
export function requireTaxInformation(
  db: DatabaseSync,
  { city, taxType, tcNo, taxNumber }: Pick<NewRow<'addresses'>, 'city' | 'taxType' | 'tcNo' | 'taxNumber'>,
): void {
  if (taxType === taxTypes.person && tcNo !== '') return
  if (taxType === taxTypes.company && taxNumber !== '') return
  const cities = findRows(db, 'cities', { nameFolded: foldText(city), countryCode: 'TR' })
  const counties = cities.flatMap(({ id }) => findRows(db, 'counties', { cityId: id }))
  const options = { cities: cities.map(idAndName), counties: counties.map(idAndName) }
  throw new ServiceError('SENDER_ADDRESS_TAX_INFORMATION_IS_NOT_COMPLETED', { params: { options } })
}

function idAndName({ id, name }: { id: number; name: string }) {
  return { id, name }
}
