import type { DatabaseSync } from 'node:sqlite'
import { findRow, insertRow } from './rows.ts'

/** *Assumed*: what `taxType` counts (docs/contract.md 13.2). A person has a `tcNo`, a company a `taxNumber`. */
export const taxTypes = { person: 1, company: 2 } as const

export interface AddressRow {
  id: number
  organizationId: number
  role: 'sender' | 'recipient' | 'billing'
  /** What the organization calls a sender address; empty for the others. */
  title: string
  firstName: string
  lastName: string
  company: string
  email: string
  phone: string
  countryId: number
  /** *Assumed*: of a sender, the county. */
  state: string
  city: string
  zipCode: string
  address1: string
  address2: string
  taxType: number | null
  tcNo: string
  taxNumber: string
}

/** The organization's sender address with this id; undefined for another's, and for an address that is no sender's. */
export function findSenderAddress(db: DatabaseSync, organizationId: number, id: number): AddressRow | undefined {
  const sql = "SELECT * FROM addresses WHERE organizationId = ? AND role = 'sender' AND id = ?"
  return findRow(db, sql, organizationId, id)
}

/** *Assumed*: a request that names no sender address means the organization's first. */
export function findFirstSenderAddress(db: DatabaseSync, organizationId: number): AddressRow | undefined {
  const sql = "SELECT * FROM addresses WHERE organizationId = ? AND role = 'sender' ORDER BY id LIMIT 1"
  return findRow(db, sql, organizationId)
}

export function findAddress(db: DatabaseSync, id: number): AddressRow | undefined {
  return findRow(db, 'SELECT * FROM addresses WHERE id = ?', id)
}

/** Stores an address and gives its id. */
export function insertAddress(db: DatabaseSync, address: Omit<AddressRow, 'id'>): number {
  return insertRow(db, 'addresses', address)
}

/** *Assumed*: complete tax information is a type and the number that goes with it. */
export function hasTaxInformation({ taxType, tcNo, taxNumber }: Pick<AddressRow, 'taxType' | 'tcNo' | 'taxNumber'>) {
  return (taxType === taxTypes.person && tcNo !== '') || (taxType === taxTypes.company && taxNumber !== '')
}
