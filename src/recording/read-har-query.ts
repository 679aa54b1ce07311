import type { Named } from './har-entry.ts'

/** A parameter's name and value, decoded. */
type Pair = readonly [name: string, value: string]

/** An escape that is not UTF-8, such as `%FE` of ISO-8859-9, cannot be decoded. */
const ESCAPES = /(?:%[\da-f]{2})+/gi

/**
 * Returns the query of an entry, without the question mark (empty: none); undefined: URL and `queryString` contradict each other.
 * If the URL has a query, that is what was sent. Insomnia, for instance, writes the parameters only into `queryString`.
 * @param fragment what follows the `#` of the URL. It is not sent, but some programs take it for a part of the query.
 */
export function queryOf(query: string, fragment: string, all: readonly Named[]): string | undefined {
  const listed = all.filter(({ name, value }) => name !== '' || value !== '')
  if (listed.length === 0) return query
  const [, inFragment = ''] = /\?(.*)/s.exec(fragment) ?? []
  const written = [query, `${query}#${fragment}`, ...(query === '' ? [inFragment] : [])]
  const isUndecodable = pairsIn(query) === undefined
  if (isUndecodable || written.some((one) => one !== '' && saysTheSame(one, listed))) return query
  return query === '' ? listed.map(encoded).join('&') : undefined
}

/** Whether a query has the listed parameters, in any order. Programs list them decoded or as they stand in the URL. */
function saysTheSame(query: string, listed: readonly Named[]): boolean {
  const pairs = pairsIn(query)
  if (pairs === undefined) return false
  const sent = inOrder(pairs)
  const asListed = listed.map(({ name, value }): Pair => [name, value])
  return [asListed, decodedPairs(asListed)].some((one) => one !== undefined && inOrder(one) === sent)
}

/** Returns the parameters of a query; undefined: one cannot be decoded. */
const pairsIn = (query: string): readonly Pair[] | undefined =>
  decodedPairs(
    query
      .split('&')
      .filter((one) => one !== '')
      .map((one): Pair => {
        const at = one.indexOf('=')
        return at === -1 ? [one, ''] : [one.slice(0, at), one.slice(at + 1)]
      }),
  )

function decodedPairs(pairs: readonly Pair[]): readonly Pair[] | undefined {
  try {
    return pairs.map(([name, value]): Pair => [decoded(name), decoded(value)])
  } catch {
    return undefined
  }
}

/** Invalid escapes are text, as in the URL standard. */
const decoded = (text: string): string => text.replaceAll(ESCAPES, decodeURIComponent)

/** Compares without regard to the order. `+` and a space are the same, because some programs decode the one to the other. */
const inOrder = (pairs: readonly Pair[]): string =>
  JSON.stringify(pairs.map(([name, value]) => JSON.stringify([plain(name), plain(value)])).sort())
const plain = (text: string): string => text.replaceAll('+', ' ')

/** Escapes in a listed value stay: programs that list values only there send them as they are. */
function encoded({ name, value }: Named): string {
  const part = (text: string): string =>
    text
      .split(/(%[\da-f]{2})/i)
      .map((piece, at) => (at % 2 === 1 ? piece : encodeURIComponent(piece.toWellFormed())))
      .join('')
  return `${part(name)}=${part(value)}`
}
