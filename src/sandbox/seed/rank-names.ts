/**
 * The place of each name in a dictionary of that language, from 0, in the order of the names given. Equal names have
 * equal places, so that a sort by place leaves them to be told apart by id. Sqlite itself sorts by code point only.
 */
export function rankNames(names: readonly string[], language: 'tr' | 'en'): number[] {
  const { compare } = new Intl.Collator(language)
  const rankByName = new Map<string, number>()
  for (const name of names.toSorted(compare)) {
    if (!rankByName.has(name)) rankByName.set(name, rankByName.size)
  }
  return names.map((name) => rankByName.get(name) ?? 0)
}
