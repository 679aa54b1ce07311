import type { DatabaseSync } from 'node:sqlite'
import { findRow, insertRow } from './rows.ts'
import type { ShipmentTypeId } from './shipment-names.ts'

export interface DraftRow {
  id: number
  organizationId: number
  typeId: ShipmentTypeId
  /** The request that could not be completed, as JSON. */
  request: string
  createdAt: string
  updatedAt: string
}

/** Finds a draft. *Assumed*: only its organization can use it, and only for a shipment of the same type. */
export function findDraft(
  db: DatabaseSync,
  { id, organizationId, typeId }: Pick<DraftRow, 'id' | 'organizationId' | 'typeId'>,
): DraftRow | undefined {
  const sql = 'SELECT * FROM shipmentDrafts WHERE id = ? AND organizationId = ? AND typeId = ?'
  return findRow(db, sql, id, organizationId, typeId)
}

/** Stores a draft and returns its id, which no other draft or shipment has ever had. */
export function insertDraft(db: DatabaseSync, draft: Omit<DraftRow, 'id'>): number {
  return insertRow(db, 'shipmentDrafts', draft)
}

export function updateDraft(db: DatabaseSync, { id, request, updatedAt }: DraftRow): void {
  db.prepare('UPDATE shipmentDrafts SET request = ?, updatedAt = ? WHERE id = ?').run(request, updatedAt, id)
}

export function deleteDraft(db: DatabaseSync, id: number): void {
  db.prepare('DELETE FROM shipmentDrafts WHERE id = ?').run(id)
}
