import type { IncomingHttpHeaders } from 'node:http'

/** Longer names of releases are cut. */
const MAX_LENGTH = 64

/** Returns what a service says of its release; undefined: nothing, or `header` is undefined. */
export function releaseOf(
  headers: IncomingHttpHeaders | Readonly<Record<string, string | readonly string[] | undefined>>,
  header: string | undefined,
): string | undefined {
  if (header === undefined) return undefined
  const value = headers[header]
  const release = (typeof value === 'string' ? value : value?.[0])?.trim().slice(0, MAX_LENGTH)
  return release === '' ? undefined : release
}
