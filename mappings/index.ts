import type { Operation } from '../src/mapping/operation.ts'
import auth from './auth.ts'
import chargeList from './charge-list.ts'
import cityList from './city-list.ts'
import countryList from './country-list.ts'
import countyList from './county-list.ts'
import currencyList from './currency-list.ts'
import document from './document.ts'
import exportCodeList from './export-code-list.ts'
import importComplete from './import-complete.ts'
import importCreate from './import-create.ts'
import invoiceList from './invoice-list.ts'
import en from './messages/en.json' with { type: 'json' }
import tr from './messages/tr.json' with { type: 'json' }
import packageShipment from './package.ts'
import price from './price.ts'
import unitList from './unit-list.ts'
import validateDestination from './validate-destination.ts'

/** Every legacy operation, in the order of docs/contract.md 6. */
export const operations: readonly Operation[] = [
  auth,
  price,
  validateDestination,
  document,
  packageShipment,
  importCreate,
  importComplete,
  invoiceList,
  chargeList,
  countryList,
  cityList,
  countyList,
  currencyList,
  unitList,
  exportCodeList,
]

/** The texts that clients read, by language: the gateway's own, and those that replace v1's. */
export const messages = { en, tr }
