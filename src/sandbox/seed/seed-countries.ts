import { readFileSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { foldText } from '../store/fold-text.ts'
import { insertRow } from '../store/sandbox-rows.ts'
import { nameIn, orderNumberOf, ranked } from './seeded-names.ts'

/**
 * Every country and territory of ISO 3166-1 (alpha-2) with its ITU calling code, in order of id. A territory without
 * its own code has that of the network that serves it. If there are several codes, the table has the oldest.
 */
const callingCodes = readFileSync(new URL('countries.txt', import.meta.url), 'utf8')

const europeanUnion = words('AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK')

/** *Assumed*: carriers do not serve places where hardly anyone lives, or where sanctions forbid it. */
const withoutCarrier = words('AQ BV EH GS HM IO KP PN SJ TF TK UM')

/** *Assumed*: destinations that can be shipped to under guarantee, in addition to the European Union. */
const withGuarantee = words('AU CA CH GB JP KR NO NZ SG US')

/** *Assumed*: the most requested destinations come first in the default order. All others have orderNumber 0. */
const mostRequested = words('US DE GB FR NL IT ES BE AT CH SE')

/** *Assumed*: `tax.type` names the scheme for low-value imports; `maxValidPrice` is its limit in local currency. */
const taxSchemes = new Map([
  ['AU', { type: 'GST', maxValidPrice: 1000 }],
  ['CH', { type: 'VAT', maxValidPrice: 62.5 }],
  ['GB', { type: 'VAT', maxValidPrice: 135 }],
  ['NO', { type: 'VOEC', maxValidPrice: 3000 }],
  ['NZ', { type: 'GST', maxValidPrice: 1000 }],
  ...europeanUnion.map((code) => [code, { type: 'IOSS', maxValidPrice: 150 }] as const),
])

/** All data of each country except its names, in order of id. */
export const countryTable = Array.from(callingCodes.matchAll(/([A-Z]{2}) (\d+)/g), ([, code = '', callingCode]) => ({
  code,
  phoneCode: `+${callingCode}`,
  isCarrierService: !withoutCarrier.includes(code),
  tax: taxSchemes.get(code) ?? { type: 'NONE', maxValidPrice: 0 },
  orderNumber: orderNumberOf(code, mostRequested),
  isGuarantee: withGuarantee.includes(code) || europeanUnion.includes(code),
}))

function words(text: string): string[] {
  return text.split(' ')
}

const english = new Intl.DisplayNames('en', { type: 'region' })
const turkish = new Intl.DisplayNames('tr', { type: 'region' })

export function seedCountries(db: DatabaseSync): void {
  for (const { id, place, row } of ranked(countryTable, 'en', ({ code }) => nameIn(english, code))) {
    const { code, phoneCode, isCarrierService, tax, orderNumber, isGuarantee } = row
    const nameEn = nameIn(english, code)
    const nameTr = nameIn(turkish, code)
    insertRow(db, 'countries', {
      id,
      code,
      nameEn,
      nameTr,
      nameEnOrder: place,
      nameEnFolded: foldText(nameEn),
      nameTrFolded: foldText(nameTr),
      codeFolded: foldText(code),
      phoneCode,
      isCarrierService: Number(isCarrierService),
      taxType: tax.type,
      taxMaxValidPrice: tax.maxValidPrice,
      flagW20: `https://flagcdn.com/w20/${code.toLowerCase()}.png`,
      flagW40: `https://flagcdn.com/w40/${code.toLowerCase()}.png`,
      orderNumber,
      isGuarantee: Number(isGuarantee),
    })
  }
}
