import { BusinessError } from '../business-error.ts'
import type { Service } from '../service.ts'
import { type CarrierRow, selectCarriers } from '../store/carriers.ts'
import { findCountry } from '../store/references.ts'
import { mustBeThere } from '../store/rows.ts'
import { type Measures, roundMeasures } from './measure.ts'
import { pricePackages, type Quote } from './price-packages.ts'

/** A valid request for prices, from either interface. Null means the same as not sent. */
export interface PriceWish {
  readonly countryId: number
  readonly zipCode?: string | null | undefined
  /** YYYY-MM-DD. */
  readonly date?: string | null | undefined
  readonly carrierId?: number | null | undefined
  readonly packages: readonly (Measures & { readonly piece?: number | null | undefined })[]
}

/**
 * Returns the price of each carrier, or only of `carrierId`. Throws CARRIER_IS_NOT_FOUND. *Assumed*: sorted by carrier
 * id; a missing date means today; a missing piece means 1.
 */
export function quoteCarriers(
  { db, now }: Service,
  { countryId, zipCode, date, carrierId, packages }: PriceWish,
): { carrier: CarrierRow; quote: Quote }[] {
  const country = mustBeThere(findCountry(db, countryId))
  const carriers = selectCarriers(db).filter(({ id }) => !carrierId || id === carrierId)
  if (carriers.length === 0) throw new BusinessError('CARRIER_IS_NOT_FOUND')
  const rows = packages.map(({ piece, ...measures }) => ({ ...roundMeasures(measures), piece: piece ?? 1 }))
  const day = date ?? new Date(now()).toISOString()
  return carriers.map((carrier) => ({ carrier, quote: pricePackages(carrier, { country, zipCode }, rows, day) }))
}
