import type { DatabaseSync } from 'node:sqlite'
import { BusinessError } from '../business-error.ts'
import type { Service } from '../service.ts'
import {
  findSinglePointImport,
  insertSinglePointImport,
  markImportCompleted,
  type SinglePointImportRow,
} from '../store/single-point-imports.ts'
import { chooseSender } from './choose-sender.ts'

/**
 * Finds an open import of the organization. Throws if it is completed. *Assumed*: throws
 * SINGLE_POINT_IMPORT_IS_NOT_FOUND both for an unknown import and for one of another organization.
 */
export function openSinglePointImport(db: DatabaseSync, organizationId: number, id: number): SinglePointImportRow {
  const found = findSinglePointImport(db, organizationId, id)
  if (found === undefined) throw new BusinessError('SINGLE_POINT_IMPORT_IS_NOT_FOUND')
  if (found.completedAt !== null) throw new BusinessError('SINGLE_POINT_IMPORT_HAS_ALREADY_BEEN_COMPLETED_BEFORE')
  return found
}

/**
 * Charges an import. Throws SINGLE_POINT_IMPORT_CHARGE_FAILED if that fails. *Assumed*, so that testers can make it
 * happen: it fails if the carrier's shipment number starts with CHARGE-FAILS.
 */
export function chargeSinglePointImport({ carrierShipmentId }: Pick<SinglePointImportRow, 'carrierShipmentId'>): void {
  if (carrierShipmentId.startsWith('CHARGE-FAILS')) throw new BusinessError('SINGLE_POINT_IMPORT_CHARGE_FAILED')
}

/** A valid request for an import, from either interface. */
export interface ImportOrder {
  readonly name: string
  readonly carrierShipmentId: string
  readonly senderAddressId?: number | null | undefined
}

/**
 * Stores an open import of the organization, with its first sender address if the request names none. Throws
 * BAD_REQUEST for a sender address of another organization, and SINGLE_POINT_IMPORT_CHARGE_FAILED. *Assumed*: then
 * nothing is stored, and the name stays unused.
 */
export function createImport(
  { db, now }: Service,
  organizationId: number,
  { name, carrierShipmentId, senderAddressId }: ImportOrder,
): SinglePointImportRow {
  const sender = chooseSender(db, organizationId, senderAddressId)
  chargeSinglePointImport({ carrierShipmentId })
  const createdAt = new Date(now()).toISOString()
  const row = { organizationId, name, carrierShipmentId, senderAddressId: sender.id, createdAt }
  return { id: insertSinglePointImport(db, row), ...row, completedAt: null }
}

/** Completes an open import of the organization. Throws like `openSinglePointImport`. */
export function completeImport({ db, now }: Service, organizationId: number, id: number): void {
  openSinglePointImport(db, organizationId, id)
  markImportCompleted(db, id, new Date(now()).toISOString())
}
