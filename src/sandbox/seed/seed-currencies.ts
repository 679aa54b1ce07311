import type { DatabaseSync } from 'node:sqlite'
import { insertRow } from '../store/sandbox-rows.ts'
import { orderNumberOf, rankNames } from './rank-names.ts'

/**
 * The currencies of ISO 4217, in order of id, except the codes for tests and for no currency, and three that have no
 * Turkish name in ICU (UYW, VED, XAD).
 */
const codes = `
  AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF
  CHW CLF CLP CNY COP COU CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD
  HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL
  MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON
  RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX
  USD USN UYI UYU UZS VES VND VUV WST XAF XAG XAU XBA XBB XBC XBD XCD XCG XDR XOF XPD XPF XPT XSU XUA YER ZAR ZMW ZWG
`

/**
 * The price of one unit in TRY: selling, then buying; 0 means no rate. Invented, but about as high as the central
 * bank's.
 */
const rates = `
  USD 42.2510  42.1750    EUR 48.9710  48.8830    GBP 55.6830  55.3940    CHF 52.5090  52.1730    JPY 0.2747  0.2729
  AUD 27.6110  27.4320    CAD 30.1640  30.0290    SEK 4.4610   4.4152     NOK 4.1825   4.1545     DKK 6.5780  6.5457
  KWD 138.2700 136.4800   SAR 11.2660  11.2460    QAR 11.6580  11.5070    AED 11.5790  11.4290    BGN 25.1780 24.8510
  RON 9.6760   9.5490     CNY 5.9680   5.8910     KRW 0.0290   0.0288     PKR 0.1512   0.1492     RUB 0.5256  0.5188
  AZN 25.0200  24.6950    KZT 0.0812   0.0801     TRY 1        1
  XDR 0        57.4030    IQD 0.0323   0
`

/** *Assumed*: the most requested currencies come first in the default order. All others have orderNumber 0. */
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

const rateByCode = new Map(
  Array.from(rates.matchAll(/([A-Z]{3}) +([\d.]+) +([\d.]+)/g), ([, code = '', sellingTry, buyingTry]) => [
    code,
    { sellingTry: Number(sellingTry), buyingTry: Number(buyingTry) },
  ]),
)

const turkish = new Intl.DisplayNames('tr', { type: 'currency' })

export function seedCurrencies(db: DatabaseSync): void {
  const currencies = codes.trim().split(/\s+/)
  const names = currencies.map(nameOf)
  const ranks = rankNames(names, 'tr')
  for (const [index, code] of currencies.entries()) {
    const { sellingTry, buyingTry } = rateByCode.get(code) ?? { sellingTry: 0, buyingTry: 0 }
    insertRow(db, 'currencies', {
      id: index + 1,
      code,
      name: names[index] ?? '',
      nameOrder: ranks[index] ?? 0,
      flagPath: flagPathOf(code),
      sellingTry,
      buyingTry,
      updatedAt: bulletinOf(sellingTry, buyingTry),
      orderNumber: orderNumberOf(code, mostRequested),
    })
  }
}

function bulletinOf(sellingTry: number, buyingTry: number): string {
  if (sellingTry > 0 && buyingTry > 0) return bulletins.bothRates
  return sellingTry > 0 || buyingTry > 0 ? bulletins.oneRate : bulletins.noRate
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
