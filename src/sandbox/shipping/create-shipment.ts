import type { DatabaseSync } from 'node:sqlite'
import { BusinessError } from '../business-error.ts'
import { inTransaction } from '../store/rows.ts'
import { type DraftRow, deleteDraft, findDraft, insertDraft, updateDraft } from '../store/shipment-drafts.ts'
import { registerShipment } from './register-shipment.ts'
import type { ShipmentOrder } from './shipment-order.ts'

/**
 * Creates a shipment, registers it with the carrier, leaves its charge, and gives its id.
 *
 * Throws a BusinessError when it cannot be completed; then nothing is stored but a draft (docs/contract.md 10.2): the
 * one that `draftId` names, or without it another one. *Assumed*: a draft that is not the organization's, or not of this
 * type, is SHIPMENT_DRAFT_IS_NOT_FOUND, which leaves no draft; so does a request that is not valid, which does not come here.
 */
export function createShipment(
  { db, now }: { db: DatabaseSync; now: () => number },
  organizationId: number,
  draftId: number | null,
  order: ShipmentOrder,
): number {
  const at = new Date(now()).toISOString()
  // Kept in a transaction of its own, so that it stays whatever happens to the next.
  const draft = inTransaction(db, () => takeUpDraft(db, organizationId, draftId, order, at))
  inTransaction(db, () => {
    registerShipment(db, draft, order, at)
    deleteDraft(db, draft.id)
  })
  return draft.id
}

function takeUpDraft(
  db: DatabaseSync,
  organizationId: number,
  draftId: number | null,
  order: ShipmentOrder,
  at: string,
): DraftRow {
  const { typeId } = order.facts
  const attempt = { organizationId, typeId, request: JSON.stringify(order), updatedAt: at }
  if (draftId === null) {
    const draft = { ...attempt, createdAt: at }
    return { id: insertDraft(db, draft), ...draft }
  }
  const found = findDraft(db, { id: draftId, organizationId, typeId })
  if (found === undefined) throw new BusinessError('SHIPMENT_DRAFT_IS_NOT_FOUND')
  const draft = { ...found, ...attempt }
  updateDraft(db, draft)
  return draft
}
