import type { Operation } from '../src/mapping/operation.ts'
import auth from './auth.ts'
import countryList from './country-list.ts'
import invoiceList from './invoice-list.ts'

/** Every legacy operation, in the contract's order. */
export const operations: readonly Operation[] = [auth, invoiceList, countryList]
