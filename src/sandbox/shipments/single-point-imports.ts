import type { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import type { Call } from '../service.ts'
import { ServiceError } from '../service-error.ts'
import { findRow, insertRow } from '../store/sandbox-rows.ts'
import type { Row } from '../store/sandbox-tables.ts'
import { recordId, text } from '../validation/body-fields.ts'
import { wholeNumber } from '../validation/query-parameters.ts'
import { bodyOf, converted, pathOf, type Rules, unless } from '../validation/validate-request.ts'
import { messages } from '../validation/validation-messages.ts'
import { chooseSender } from './sender-addresses.ts'

/** *Assumed*: the members (docs/contract.md 13.1). Without a sender address, the organization's first is used. */
const importBody = z.object({
  name: text(255),
  carrierShipmentId: text(64),
  senderAddressId: recordId().nullish(),
})

/** docs/contract.md 6.6: `shipmentId` is called carrierShipmentId in v1. *Assumed*: the rest is as in v1. */
const legacyImportBody = z.object({
  name: text(255),
  shipmentId: text(64),
  senderAddressId: recordId().nullish(),
})

/**
 * The name of an import must not be in use (docs/contract.md 5.8). *Assumed*: only the organization's imports count, whether
 * open or completed, and names are compared as written.
 */
function importRules({ db, organizationId }: Call): Rules<{ name: string }> {
  return ({ name }) => {
    const isFree = name === undefined || findRow(db, 'singlePointImports', { organizationId, name }) === undefined
    return unless(isFree, 'name', messages.alreadyUsed)
  }
}

export type ImportBody = z.output<typeof importBody>

export const importRequest = bodyOf(importBody, importRules)
export const legacyImportRequest = converted(
  bodyOf(legacyImportBody, importRules),
  ({ shipmentId, ...sent }): ImportBody => ({ ...sent, carrierShipmentId: shipmentId }),
)

/** docs/contract.md 4.7 and 6.7. *Assumed*: an id that is not a positive integer is a violation; legacy reads it as text, too. */
export const completionRequest = pathOf(z.object({ id: wholeNumber(1) }))
export const legacyCompletionRequest = bodyOf(
  z.object({ id: z.preprocess((sent) => (typeof sent === 'number' ? String(sent) : sent), wholeNumber(1)) }),
)

/**
 * Stores an open import of the organization, with its first sender address if the request names none. Throws
 * BAD_REQUEST for a sender address of another organization, and SINGLE_POINT_IMPORT_CHARGE_FAILED. *Assumed*: then
 * nothing is stored, and the name stays unused; and, so that testers can make it happen, the charge fails if the carrier's
 * shipment number starts with CHARGE-FAILS.
 */
export function createImport(
  { db, now, organizationId }: Call,
  { name, carrierShipmentId, senderAddressId }: ImportBody,
): Row<'singlePointImports'> {
  const sender = chooseSender(db, organizationId, senderAddressId)
  if (carrierShipmentId.startsWith('CHARGE-FAILS')) throw new ServiceError('SINGLE_POINT_IMPORT_CHARGE_FAILED')
  const createdAt = new Date(now()).toISOString()
  const row = { organizationId, name, carrierShipmentId, senderAddressId: sender.id, createdAt }
  return { id: insertRow(db, 'singlePointImports', row), ...row, completedAt: null }
}

/** Completes an open import of the organization. Throws like `findOpenImport`. */
export function completeImport({ db, now, organizationId }: Call, id: number): void {
  findOpenImport(db, organizationId, id)
  const complete = db.prepare('UPDATE singlePointImports SET completedAt = ? WHERE id = ?')
  complete.run(new Date(now()).toISOString(), id)
}

/**
 * Finds an open import of the organization. Throws if it is completed. *Assumed*: throws
 * SINGLE_POINT_IMPORT_IS_NOT_FOUND both for an unknown import and for one of another organization.
 */
export function findOpenImport(db: DatabaseSync, organizationId: number, id: number): Row<'singlePointImports'> {
  const row = findRow(db, 'singlePointImports', { organizationId, id })
  if (row === undefined) throw new ServiceError('SINGLE_POINT_IMPORT_IS_NOT_FOUND')
  if (row.completedAt !== null) throw new ServiceError('SINGLE_POINT_IMPORT_HAS_ALREADY_BEEN_COMPLETED_BEFORE')
  return row
}
