/** A row to seed, with its id, from 1 in the order of the rows, and the place of its name in a dictionary. */
interface RankedRow<Row> {
  readonly id: number
  readonly place: number
  readonly row: Row
}

/**
 * Returns the rows with the place of each name in a dictionary of that language, from 0. Equal names have equal places, so
 * that a sort by place can then order them by id. SQLite itself sorts only by code point.
 */
export function ranked<Row>(
  rows: readonly Row[],
  language: 'tr' | 'en',
  nameOf: (row: Row) => string,
): readonly RankedRow<Row>[] {
  const { compare } = new Intl.Collator(language)
  const places = new Map<string, number>()
  for (const name of rows.map(nameOf).sort(compare)) if (!places.has(name)) places.set(name, places.size)
  return rows.map((row, index) => ({ id: index + 1, place: places.get(nameOf(row)) ?? 0, row }))
}

/** Returns the orderNumber of a record: those that are requested most come first in the default order; all others have 0. */
export function orderNumberOf<Key>(key: Key, mostRequested: readonly Key[]): number {
  return mostRequested.includes(key) ? 10 * (mostRequested.length - mostRequested.indexOf(key)) : 0
}

/** Returns the name of a country or a currency. Throws if Node's ICU has none. */
export function nameIn(names: Intl.DisplayNames, code: string): string {
  const name = names.of(code)
  // ICU returns the code itself if it is unknown. Node built without ICU's data does so for all codes.
  if (name === undefined || name === code) throw new Error(`Node's ICU has no name for ${code}`)
  return name
}
