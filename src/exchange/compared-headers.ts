import { hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** The headers of an answer that programs read, in lower case; no others are compared. */
export const COMPARED_HEADERS = ['content-type', 'retry-after', 'www-authenticate', 'location', 'set-cookie'] as const

/**
 * The compared part of each of these headers, in their order, each as a short text: the media type; `present`; the schemes, in lower case;
 * the target; the names of the cookies. Headers that the answer does not have are left out.
 */
export type ComparedHeaders = Readonly<Partial<Record<(typeof COMPARED_HEADERS)[number], string>>>

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

/** Longer texts are cut to less. */
const MAX_LENGTH = 512
const CUT_LENGTH = 500
const MAX_COOKIES = 50

/**
 * Returns what is compared of an answer's headers.
 * @param headers names in lower case.
 * @param baseUrl the address of the service: a `Location` within it is compared without it. Undefined: every `Location` is compared
 *   as written.
 */
export function comparedHeaders(headers: Headers, baseUrl?: URL): ComparedHeaders {
  const {
    'content-type': type,
    'retry-after': retry,
    'www-authenticate': schemes,
    location,
    'set-cookie': set,
  } = headers
  return {
    ...(type !== undefined && { 'content-type': bounded(mediaTypeOf(first(type))) }),
    ...(retry !== undefined && { 'retry-after': 'present' }),
    ...(schemes !== undefined && { 'www-authenticate': bounded(schemesIn([schemes].flat().join(', '))) }),
    ...(location !== undefined && { location: bounded(fromBase(first(location), baseUrl)) }),
    ...(set !== undefined && { 'set-cookie': bounded(cookiesIn([set].flat())) }),
  }
}

const first = (value: string | readonly string[]): string => (typeof value === 'string' ? value : (value[0] ?? ''))
/** A text that is cut ends in a hash of the whole, so that two that differ behind the cut still do. */
const bounded = (text: string): string =>
  text.length <= MAX_LENGTH ? text : `${text.slice(0, CUT_LENGTH)}…#${hash('sha256', text, 'hex').slice(0, 8)}`

/** RFC 9110 section 8.3.1: parameters follow a semicolon, and case does not matter. */
const mediaTypeOf = (type: string): string => (type.split(';', 1)[0] ?? '').trim().toLowerCase()

/** RFC 9110 section 11.6.1: a list of challenges, each a scheme with parameters, which are lists too. */
function schemesIn(challenges: string): string {
  const unquoted = challenges.slice(0, 8 * MAX_LENGTH).replaceAll(/"(?:[^"\\]|\\.)*"/g, '""')
  const schemes = unquoted.split(',').flatMap((part) => /^\s*([\w!#$%&'*+.^`|~-]+)(?:$|\s+(?!=))/.exec(part)?.[1] ?? [])
  return namesOf(schemes.map((scheme) => scheme.toLowerCase()))
}

/** RFC 6265 section 5.2: the name ends at the first equals sign; without one it is no cookie. Values are not compared. */
const cookiesIn = (cookies: readonly string[]): string =>
  namesOf(cookies.slice(0, MAX_COOKIES).flatMap((cookie) => /^\s*([^;=]*?)\s*=/.exec(cookie)?.[1] ?? []))

const namesOf = (names: readonly string[]): string => [...new Set(names)].sort().join(', ')

/** Returns a `Location` within the service without the address of the service, because each service has its own. */
function fromBase(location: string, baseUrl: URL | undefined): string {
  if (baseUrl === undefined || !/^(?:https?:)?\//i.test(location)) return location
  const url = URL.parse(location, baseUrl.href)
  const prefix = baseUrl.pathname.replace(/\/+$/, '')
  if (url === null || url.origin !== baseUrl.origin || !`${url.pathname}/`.startsWith(`${prefix}/`)) return location
  return `${url.pathname.slice(prefix.length) || '/'}${url.search}${url.hash}`
}

/** Longer names of releases are cut. */
const MAX_RELEASE = 64

/** Returns the release that a service reports; undefined: it reports none, or `header` is undefined. */
export function releaseOf(
  headers: IncomingHttpHeaders | Readonly<Record<string, string | readonly string[] | undefined>>,
  header: string | undefined,
): string | undefined {
  if (header === undefined) return undefined
  const value = headers[header]
  const release = (typeof value === 'string' ? value : value?.[0])?.trim().slice(0, MAX_RELEASE)
  return release === '' ? undefined : release
}
