import type { DatabaseSync } from 'node:sqlite'
import { BusinessError } from '../business-error.ts'
import {
  type AddressRow,
  findFirstSenderAddress,
  findSenderAddress,
  hasTaxInformation,
  insertAddress,
} from '../store/addresses.ts'
import { findCountiesOf, findHomeCitiesNamed } from '../store/references.ts'
import type { ShipmentOrder } from './shipment-order.ts'

/**
 * Returns the organization's sender address with this id; without an id, *assumed*: the first. Throws BAD_REQUEST if
 * the address does not belong to the organization (docs/contract.md 4.5).
 */
export function chooseSender(
  db: DatabaseSync,
  organizationId: number,
  senderAddressId: number | null | undefined,
): AddressRow {
  const sender =
    senderAddressId === null || senderAddressId === undefined
      ? findFirstSenderAddress(db, organizationId)
      : findSenderAddress(db, organizationId, senderAddressId)
  if (sender === undefined) throw new BusinessError('BAD_REQUEST')
  return sender
}

/**
 * Returns the id of the address that a shipment is sent from. Stores a new address for the organization to keep.
 * Throws BAD_REQUEST like `chooseSender`, and SENDER_ADDRESS_TAX_INFORMATION_IS_NOT_COMPLETED with city and county
 * candidates.
 */
export function senderIdFor(
  db: DatabaseSync,
  organizationId: number,
  { senderAddressId, newSenderAddress }: Pick<ShipmentOrder, 'senderAddressId' | 'newSenderAddress'>,
): number {
  if (newSenderAddress !== null && senderAddressId === null) {
    requireTaxInformation(db, newSenderAddress)
    return insertAddress(db, { ...newSenderAddress, organizationId, role: 'sender' })
  }
  const sender = chooseSender(db, organizationId, senderAddressId)
  requireTaxInformation(db, sender)
  return sender.id
}

/** *Assumed*: the candidates are the cities with the address's city name and their counties, each as {id, name}. */
function requireTaxInformation(
  db: DatabaseSync,
  sender: Pick<AddressRow, 'city' | 'taxType' | 'tcNo' | 'taxNumber'>,
): void {
  if (hasTaxInformation(sender)) return
  const cities = findHomeCitiesNamed(db, sender.city)
  const counties = cities.flatMap(({ id }) => findCountiesOf(db, id))
  throw new BusinessError('SENDER_ADDRESS_TAX_INFORMATION_IS_NOT_COMPLETED', { cities, counties })
}
