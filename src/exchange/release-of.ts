import type { IncomingHttpHeaders } from 'node:http'

/** Longer names of releases are cut. */
const MAX_LENGTH = 64

/** Returns the release that a service reports; undefined: it reports none, or `header` is undefined. */
export function releaseOf(
  headers: IncomingHttpHeaders | Readonly<Record<string, string | readonly string[] | undefined>>,
  header: string | undefined,
): string | undefined {
  if (header === undefined) return undefined
  const value = headers[header]
  const release = (typeof value === 'string' ? value : value?.[0])?.trim().slice(0, MAX_LENGTH)
  return release === '' ? undefined : release
}
