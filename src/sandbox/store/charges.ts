import type { DatabaseSync } from 'node:sqlite'
import { insertRow } from './rows.ts'
import { condition, type Page, type PageRequest, selectPage } from './select-page.ts'
import type { billingStatuses, ShipmentTypeId } from './shipment-names.ts'

/** docs/contract.md 7.2: each shipment has one charge. v1 does not list charges. */
export interface ChargeRow {
  id: number
  organizationId: number
  amountHundredths: number
  createdAt: string
  /** *Assumed*: the id of the shipment. */
  transactionId: number
  trackingNumber: string
  typeId: ShipmentTypeId
  billingStatusId: keyof typeof billingStatuses
  typeMask: string
}

const sortColumns = {
  id: 'id',
  amount: 'amountHundredths',
  createdAt: 'createdAt',
}

/** Returns one page of the organization's charges. */
export function selectCharges(
  db: DatabaseSync,
  organizationId: number,
  page: PageRequest<keyof typeof sortColumns>,
): Page<ChargeRow> {
  return selectPage(db, 'charges', [condition('organizationId = ?', organizationId)], sortColumns, page)
}

/** Stores a charge and returns its id. */
export function insertCharge(db: DatabaseSync, charge: Omit<ChargeRow, 'id'>): number {
  return insertRow(db, 'charges', charge)
}

/**
 * *Assumed* (docs/contract.md 13.2): a bit for each part of the price, in the order freight, fuel, fees, peak, remote
 * area.
 */
export function typeMaskOf(parts: readonly number[]): string {
  return parts.map((hundredths) => (hundredths > 0 ? '1' : '0')).join('')
}
