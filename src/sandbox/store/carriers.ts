import type { DatabaseSync } from 'node:sqlite'
import { findRow, findRows } from './rows.ts'

/** The express saver service, the only carrier of document shipments (docs/contract.md 4.5). */
export const documentCarrierId = 1

export interface CarrierRow {
  id: number
  slug: string
  name: string
  service: string
  logoUrl: string
  /** The URL for tracking a shipment, without the tracking number at its end. */
  trackingUrl: string
  /** Two letters that the carrier's tracking numbers start with. */
  trackingPrefix: string
  /** The tariff, in hundredths: per package, and per half kilogram. */
  openingHundredths: number
  halfKiloHundredths: number
  fuelPercent: number
}

export function selectCarriers(db: DatabaseSync): CarrierRow[] {
  return findRows(db, 'SELECT * FROM carriers ORDER BY id')
}

export function findCarrier(db: DatabaseSync, id: number): CarrierRow | undefined {
  return findRow(db, 'SELECT * FROM carriers WHERE id = ?', id)
}
