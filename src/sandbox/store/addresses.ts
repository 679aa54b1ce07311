import type { DatabaseSync } from 'node:sqlite'
import { findRow, insertRow } from './rows.ts'

/** *Assumed*: the values of `taxType` (docs/contract.md 13.2). A person has a `tcNo`, a company a `taxNumber`. */
export const taxTypes = { person: 1, company: 2 } as const

export interface AddressRow {
  id: number
  organizationId: number
  role: 'sender' | 'recipient' | 'billing'
  /** The organization's name for a sender address; empty for other roles. */
  title: string
  firstName: string
  lastName: string
  company: string
  email: string
  phone: string
  countryId: number
  /** *Assumed*: for a sender, the county. */
  state: string
  city: string
  zipCode: string
  address1: string
  address2: string
  taxType: number | null
  tcNo: string
  taxNumber: string
}

/** Finds a sender address of the organization. Undefined for an address of another organization or role. */
export function findSenderAddress(db: DatabaseSync, organizationId: number, id: number): AddressRow | undefined {
  const sql = "SELECT * FROM addresses WHERE organizationId = ? AND role = 'sender' AND id = ?"
  return findRow(db, sql, organizationId, id)
}

/** Finds the first sender address of the organization. *Assumed*: a request that names none means this one. */
export function findFirstSenderAddress(db: DatabaseSync, organizationId: number): AddressRow | undefined {
  const sql = "SELECT * FROM addresses WHERE organizationId = ? AND role = 'sender' ORDER BY id LIMIT 1"
  return findRow(db, sql, organizationId)
}

export function findAddress(db: DatabaseSync, id: number): AddressRow | undefined {
  return findRow(db, 'SELECT * FROM addresses WHERE id = ?', id)
}

/** Stores an address and returns its id. */
export function insertAddress(db: DatabaseSync, address: Omit<AddressRow, 'id'>): number {
  return insertRow(db, 'addresses', address)
}

/** *Assumed*: tax information is complete if there is a type and the number for that type. */
export function hasTaxInformation({ taxType, tcNo, taxNumber }: Pick<AddressRow, 'taxType' | 'tcNo' | 'taxNumber'>) {
  return (taxType === taxTypes.person && tcNo !== '') || (taxType === taxTypes.company && taxNumber !== '')
}
