import { readFileSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { insertRow } from '../store/sandbox-rows.ts'
import { nameIn, orderNumberOf, ranked } from './seeded-names.ts'

/**
 * The currencies of ISO 4217, in order of id, except the codes for tests and for no currency, and three that have no
 * Turkish name in ICU (UYW, VED, XAD). After the code follows the price of one unit in TRY: selling, then buying; 0 or
 * nothing means no rate. The prices are invented, but about as high as the central bank's.
 */
const currencies = readFileSync(new URL('currencies.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n')

/** *Assumed*: the currencies that are requested most. */
const mostRequested = ['USD', 'EUR', 'GBP', 'TRY']

/**
 * *Assumed*: one bulletin for currencies with both rates, an older one for those with one rate, the oldest for the
 * rest.
 */
const bulletins = {
  bothRates: '2025-12-31T12:30:00.000Z',
  oneRate: '2025-12-30T12:30:00.000Z',
  noRate: '2025-01-02T12:30:00.000Z',
}

const turkish = new Intl.DisplayNames('tr', { type: 'currency' })

export function seedCurrencies(db: DatabaseSync): void {
  const rows = currencies.map((line) => {
    const [code = '', selling = 0, buying = 0] = line.split(' ')
    return { code, name: nameIn(turkish, code), sellingTry: Number(selling), buyingTry: Number(buying) }
  })
  for (const { id, place, row } of ranked(rows, 'tr', ({ name }) => name)) {
    insertRow(db, 'currencies', {
      id,
      ...row,
      nameOrder: place,
      flagPath: flagPathOf(row.code),
      updatedAt: bulletinOf(row.sellingTry, row.buyingTry),
      orderNumber: orderNumberOf(row.code, mostRequested),
    })
  }
}

function bulletinOf(sellingTry: number, buyingTry: number): string {
  if (sellingTry > 0 && buyingTry > 0) return bulletins.bothRates
  return sellingTry > 0 || buyingTry > 0 ? bulletins.oneRate : bulletins.noRate
}

/**
 * *Assumed*: a path below the address of the service's images. The first two letters of a code are those of the
 * country. Codes that start with X belong to no country (gold, drawing rights, the francs that several countries share)
 * and have no flag: an empty string.
 */
function flagPathOf(code: string): string {
  return code.startsWith('X') ? '' : `/flags/w40/${code.slice(0, 2).toLowerCase()}.png`
}
