/** What means the same in a URL with and without percent-encoding (RFC 3986, 2.3). */
const UNRESERVED = /[\w.~-]/
/** What stands in a path or a query as it is: not quotes, brackets and the like, and no lone percent sign. */
const ODD = /%(?![\da-f]{2})|[^\w.~!$&()*+,;=:@/?%-]/gi
const OCTET = /%[\da-f]{2}/gi

/**
 * Returns a URL that programs of all languages send as it is written: normal as in RFC 3986, 6.2.2, without a fragment,
 * and percent-encoded where a character would end a string, or curl would take it for a glob. Throws a TypeError unless
 * the URL is absolute.
 */
export function snippetUrl(url: string): string {
  const { origin, pathname, search } = new URL(url)
  const target = `${pathname}${search}`.replaceAll(ODD, encoded).replaceAll(OCTET, normal)
  return `${origin}${target}`
}

/** Percent-encodes a character of ASCII: a URL that was parsed has no others. */
const encoded = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`

function normal(octet: string): string {
  const character = String.fromCharCode(Number.parseInt(octet.slice(1), 16))
  return UNRESERVED.test(character) ? character : octet.toUpperCase()
}
