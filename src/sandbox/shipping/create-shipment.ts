import type { DatabaseSync } from 'node:sqlite'
import { BusinessError } from '../business-error.ts'
import { inTransaction } from '../store/rows.ts'
import { type DraftRow, deleteDraft, findDraft, insertDraft, updateDraft } from '../store/shipment-drafts.ts'
import { registerShipment } from './register-shipment.ts'
import type { ShipmentOrder } from './shipment-order.ts'

/**
 * Creates a shipment, registers it with the carrier, stores its charge, and returns its id.
 *
 * Throws a BusinessError if the shipment cannot be completed. Then only a draft is stored (docs/contract.md 10.2): the
 * draft `draftId`, or a new one. *Assumed*: a draft of another organization or type is SHIPMENT_DRAFT_IS_NOT_FOUND, and
 * no draft is stored. Nor is one stored for an invalid request, which does not get here.
 */
export function createShipment(
  { db, now }: { db: DatabaseSync; now: () => number },
  organizationId: number,
  draftId: number | null,
  order: ShipmentOrder,
): number {
  const at = new Date(now()).toISOString()
  // Stored in its own transaction, so that it is kept if the next one fails.
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
