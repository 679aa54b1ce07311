import type { DatabaseSync } from 'node:sqlite'
import { foldText } from '../store/fold-text.ts'
import { countryTable } from './country-table.ts'

const english = new Intl.DisplayNames('en', { type: 'region' })
const turkish = new Intl.DisplayNames('tr', { type: 'region' })

export function seedCountries(db: DatabaseSync): void {
  const insert = db.prepare(`
    INSERT INTO countries (id, code, nameEn, nameTr, nameEnOrder, nameEnFolded, nameTrFolded, codeFolded, phoneCode,
      isCarrierService, taxType, taxMaxValidPrice, flagW20, flagW40, orderNumber, isGuarantee)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  const inOrder = countryTable.map(({ code }) => nameIn(english, code)).sort(new Intl.Collator('en').compare)
  for (const [index, country] of countryTable.entries()) {
    const nameEn = nameIn(english, country.code)
    const nameTr = nameIn(turkish, country.code)
    insert.run(
      index + 1,
      country.code,
      nameEn,
      nameTr,
      inOrder.indexOf(nameEn),
      foldText(nameEn),
      foldText(nameTr),
      foldText(country.code),
      country.phoneCode,
      Number(country.isCarrierService),
      country.tax.type,
      country.tax.maxValidPrice,
      flagUrl('w20', country.code),
      flagUrl('w40', country.code),
      country.orderNumber,
      Number(country.isGuarantee),
    )
  }
}

function nameIn(names: Intl.DisplayNames, code: string): string {
  const name = names.of(code)
  // ICU returns the code itself for an unknown region. Node built without ICU's data does so for all regions.
  if (name === undefined || name === code) throw new Error(`Node's ICU has no name for the country ${code}`)
  return name
}

function flagUrl(size: 'w20' | 'w40', code: string): string {
  return `https://flagcdn.com/${size}/${code.toLowerCase()}.png`
}
