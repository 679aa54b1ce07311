import type { DatabaseSync } from 'node:sqlite'
import { currencyTable } from './currency-table.ts'
import { rankNames } from './rank-names.ts'

const turkish = new Intl.DisplayNames('tr', { type: 'currency' })

export function seedCurrencies(db: DatabaseSync): void {
  const names = currencyTable.map(({ code }) => nameOf(code))
  const ranks = rankNames(names, 'tr')
  const insert = db.prepare(`
    INSERT INTO currencies (id, code, name, nameOrder, flagPath, sellingTry, buyingTry, updatedAt, orderNumber)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  for (const [index, { code, sellingTry, buyingTry, updatedAt, orderNumber }] of currencyTable.entries()) {
    insert.run(
      index + 1,
      code,
      names[index] ?? null,
      ranks[index] ?? null,
      flagPathOf(code),
      sellingTry,
      buyingTry,
      updatedAt,
      orderNumber,
    )
  }
}

function nameOf(code: string): string {
  const name = turkish.of(code)
  // ICU returns the code itself for an unknown currency. Node built without ICU's data does so for all currencies.
  if (name === undefined || name === code) throw new Error(`Node's ICU has no name for the currency ${code}`)
  return name
}

/**
 * *Assumed*: a path below the address of the service's images. The first two letters of a code are those of the
 * country. Codes that start with X belong to no country (gold, drawing rights, the francs that several countries share)
 * and have no flag: an empty string.
 */
function flagPathOf(code: string): string {
  return code.startsWith('X') ? '' : `/flags/w40/${code.slice(0, 2).toLowerCase()}.png`
}
