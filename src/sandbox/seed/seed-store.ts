import type { DatabaseSync } from 'node:sqlite'
import { seedCarriers } from './seed-carriers.ts'
import { seedCharges } from './seed-charges.ts'
import { seedCities } from './seed-cities.ts'
import { seedCounties } from './seed-counties.ts'
import { seedCountries } from './seed-countries.ts'
import { seedCurrencies } from './seed-currencies.ts'
import { seedExportCodes } from './seed-export-codes.ts'
import { seedInvoices } from './seed-invoices.ts'
import { seedOrganizations } from './seed-organizations.ts'
import { seedSenderAddresses } from './seed-sender-addresses.ts'
import { seedUnitsOfMeasure } from './seed-units-of-measure.ts'

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
