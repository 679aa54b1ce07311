import type { DatabaseSync } from 'node:sqlite'
import type { CarrierRow } from '../store/carriers.ts'
import { insertRow } from '../store/rows.ts'

/** Carrier 1 is the express saver service (docs/contract.md 4.5). Everything else about carriers is *assumed*. */
const carriers = [
  ['EXPRESS_SAVER', 'Numune Express', 'Express Saver', 'NX', 1800, 450, 18],
  ['EXPRESS_PLUS', 'Numune Express', 'Express Plus', 'NP', 2600, 600, 18],
  ['ECONOMY_AIR', 'Taslak Kargo', 'Economy Air', 'TK', 1200, 300, 12],
  ['ROAD_STANDARD', 'Sınama Lojistik', 'Road Standard', 'SL', 900, 175, 9],
] as const

export function seedCarriers(db: DatabaseSync): void {
  for (const [index, carrier] of carriers.entries()) {
    const [slug, name, service, trackingPrefix, openingHundredths, halfKiloHundredths, fuelPercent] = carrier
    const host = 'https://carriers.example'
    const file = slug.toLowerCase().replaceAll('_', '-')
    insertRow(db, 'carriers', {
      id: index + 1,
      slug,
      name,
      service,
      logoUrl: `${host}/${file}.png`,
      trackingUrl: `${host}/track/${file}/`,
      trackingPrefix,
      openingHundredths,
      halfKiloHundredths,
      fuelPercent,
    } satisfies CarrierRow)
  }
}
