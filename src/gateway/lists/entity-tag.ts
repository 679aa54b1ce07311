import type { Form } from './accept-encoding.ts'

/**
 * The strong entity tag of a list in one of its forms: each has other bytes, and so a tag of its own (RFC 9110 section
 * 8.8.3.3). `etag` is that of the list as it is.
 */
export function tagOf(etag: string, form: Form): string {
  return form === 'identity' ? etag : `${etag.slice(0, -1)}-${form}"`
}

/** An entity tag without the mark of a weak one (RFC 9110 section 8.8.3); it may have commas in it. */
const TAG = /"[\x21\x23-\x7e\x80-\xff]*"/g

/**
 * The tag by which a client knows the list already, in whatever form it has it; undefined when it does not. RFC 9110 section
 * 13.1.2: the weak comparison, of a list of tags or `*`, which stands for the list as it is.
 */
export function tagIn(ifNoneMatch: string | undefined, etag: string): string | undefined {
  if (ifNoneMatch === undefined) return undefined
  if (ifNoneMatch.trim() === '*') return etag
  const forms = (['identity', 'gzip', 'br'] as const).map((form) => tagOf(etag, form))
  return ifNoneMatch.match(TAG)?.find((tag) => forms.includes(tag))
}
