import type { Form } from './accept-encoding.ts'

/**
 * Returns the strong entity tag of a list in one of its forms. Each form has different bytes, and so a tag of its own
 * (RFC 9110 section 8.8.3.3). `etag` is the tag of the uncoded list.
 */
export function tagOf(etag: string, form: Form): string {
  return form === 'identity' ? etag : `${etag.slice(0, -1)}-${form}"`
}

/** An entity tag without the prefix of a weak one (RFC 9110 section 8.8.3). May contain commas. */
const TAG = /"[\x21\x23-\x7e\x80-\xff]*"/g

/**
 * Returns the client's tag for the list, whichever form of the list it has; undefined if it has none. Compares weakly (RFC 9110
 * section 13.1.2). Reads a list of tags, or `*`, which stands for the uncoded list.
 */
export function tagIn(ifNoneMatch: string | undefined, etag: string): string | undefined {
  if (ifNoneMatch === undefined) return undefined
  if (ifNoneMatch.trim() === '*') return etag
  const forms = (['identity', 'gzip', 'br'] as const).map((form) => tagOf(etag, form))
  return ifNoneMatch.match(TAG)?.find((tag) => forms.includes(tag))
}
