import type { DatabaseSync } from 'node:sqlite'
import { seedExportCodes, seedUnitsOfMeasure } from './seed-codes.ts'
import { seedCountries } from './seed-countries.ts'
import { seedCurrencies } from './seed-currencies.ts'
import { seedCharges, seedInvoices } from './seed-invoices.ts'
import { seedCarriers, seedOrganizations, seedSenderAddresses } from './seed-parties.ts'
import { seedCities, seedCounties } from './seed-places.ts'

/** Fills new tables. The rows are always the same on every machine: nothing depends on the clock or on randomness. */
export function seedStore(db: DatabaseSync): void {
  seedOrganizations(db)
  seedCountries(db)
  seedCities(db)
  seedCounties(db)
  seedCurrencies(db)
  seedUnitsOfMeasure(db)
  seedExportCodes(db)
  seedInvoices(db)
  seedCarriers(db)
  seedSenderAddresses(db)
  seedCharges(db)
}
