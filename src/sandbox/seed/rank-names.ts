/**
 * Returns the place of each name in a dictionary of that language, from 0, in the order of `names`. Equal names have
 * equal places, so that a sort by place can then order them by id. SQLite itself sorts only by code point.
 */
export function rankNames(names: readonly string[], language: 'tr' | 'en'): number[] {
  const { compare } = new Intl.Collator(language)
  const rankByName = new Map<string, number>()
  for (const name of names.toSorted(compare)) {
    if (!rankByName.has(name)) rankByName.set(name, rankByName.size)
  }
  return names.map((name) => rankByName.get(name) ?? 0)
}

/** Returns the orderNumber of a record: those that are requested most come first in the default order; all others have 0. */
export function orderNumberOf<Key>(key: Key, mostRequested: readonly Key[]): number {
  return mostRequested.includes(key) ? 10 * (mostRequested.length - mostRequested.indexOf(key)) : 0
}
