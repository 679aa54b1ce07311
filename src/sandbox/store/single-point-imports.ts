import type { DatabaseSync } from 'node:sqlite'
import { findRow, insertRow } from './rows.ts'

export interface SinglePointImportRow {
  id: number
  organizationId: number
  name: string
  /** The carrier's shipment number, called GCCN. */
  carrierShipmentId: string
  /** This and the times are only for the legacy interface: v1's answers do not have them. */
  senderAddressId: number
  createdAt: string
  /** Null while the import is open. */
  completedAt: string | null
}

/** Finds an import of the organization. */
export function findSinglePointImport(
  db: DatabaseSync,
  organizationId: number,
  id: number,
): SinglePointImportRow | undefined {
  return findRow(db, 'SELECT * FROM singlePointImports WHERE organizationId = ? AND id = ?', organizationId, id)
}

/**
 * Whether a name is in use. *Assumed*: only the organization's imports count, whether open or completed, and names are
 * compared as written.
 */
export function isImportNameUsed(db: DatabaseSync, organizationId: number, name: string): boolean {
  const sql = 'SELECT id FROM singlePointImports WHERE organizationId = ? AND name = ?'
  return findRow(db, sql, organizationId, name) !== undefined
}

/** Stores an open import and returns its id. */
export function insertSinglePointImport(
  db: DatabaseSync,
  row: Omit<SinglePointImportRow, 'id' | 'completedAt'>,
): number {
  return insertRow(db, 'singlePointImports', row)
}

export function markImportCompleted(db: DatabaseSync, id: number, at: string): void {
  db.prepare('UPDATE singlePointImports SET completedAt = ? WHERE id = ?').run(at, id)
}
