/** What means the same in a URL with and without percent-encoding (RFC 3986, 2.3). */
const UNRESERVED = /[\w.~-]/
/** What must be percent-encoded in a path or a query: quotes, brackets and the like, and a lone percent sign. */
const ODD = /%(?![\da-f]{2})|[^\w.~!$&()*+,;=:@/?%-]/gi
const OCTET = /%[\da-f]{2}/gi

/**
 * Returns a URL that programs in all languages send exactly as written: normalized as in RFC 3986, 6.2.2, without a
 * fragment, and percent-encoded where a character would end a string or curl would take it for a glob.
 * @throws TypeError unless the URL is absolute.
 */
export function snippetUrl(url: string): string {
  const { origin, pathname, search } = new URL(url)
  const target = `${pathname}${search}`.replaceAll(ODD, encoded).replaceAll(OCTET, normal)
  return `${origin}${target}`
}

/** Percent-encodes an ASCII character: a parsed URL has no others. */
const encoded = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`

function normal(octet: string): string {
  const character = String.fromCharCode(Number.parseInt(octet.slice(1), 16))
  return UNRESERVED.test(character) ? character : octet.toUpperCase()
}
