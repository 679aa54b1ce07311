import type { DatabaseSync } from 'node:sqlite'
import { seedCountries } from './seed-countries.ts'
import { seedInvoices } from './seed-invoices.ts'
import { seedOrganizations } from './seed-organizations.ts'

/** Fills new tables. The rows are the same every time and on every machine: nothing depends on the clock or on chance. */
export function seedStore(db: DatabaseSync): void {
  seedOrganizations(db)
  seedCountries(db)
  seedInvoices(db)
}
