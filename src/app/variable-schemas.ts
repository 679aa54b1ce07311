import { BlockList, isIP } from 'node:net'
import { z } from 'zod'
import { hasNoCredentials, isHttpUrl, isReceiverUrl, RECEIVER_URL } from '../common/http-url.ts'
import { isPostgresUrl } from '../control-plane/store/postgres/parse-postgres-url.ts'
import type { TunnelProxy } from '../data-plane/upstream/proxy.ts'

/** Schemas of variables: how each text is checked and read. No message quotes the text. */
export function wholeNumberWithin(low: number, high: number) {
  const message = `must be a whole number from ${low} to ${high}`
  return z
    .string()
    .regex(/^\d{1,15}$/, message)
    .transform(Number)
    .refine((number) => number >= low && number <= high, message)
}

export const wholeNumber = (low: number, high: number, otherwise: number) =>
  wholeNumberWithin(low, high).default(otherwise)
export const port = (otherwise: number) => wholeNumber(0, 65_535, otherwise)
export const milliseconds = (otherwise: number) => wholeNumber(1, 2_147_483_647, otherwise)

export const baseUrl = z
  .string()
  .refine(
    (text) => isHttpUrl(text, (url) => url.search === '' && url.hash === '' && hasNoCredentials(url)),
    'must be an http or https URL without query, fragment or credentials, for instance https://api.example.com/prefix',
  )
  .transform((text) => new URL(text))

/** The address to which paths such as `/api/v1/finance/invoices` are added (docs/contract.md 1.2). */
export const v1BaseUrl = baseUrl.refine(
  ({ pathname }) => !/\/api\/v1\/*$/.test(pathname),
  'must end before /api/v1, which is part of every path of v1',
)

/** May have a path and a query, which are often secret. */
export const webhookUrl = z
  .string()
  .refine(isReceiverUrl, RECEIVER_URL)
  .transform((text) => new URL(text))

/** The scheme may be left out, as in other programs. */
export const proxyUrl = z
  .string()
  .transform((text) => (text.includes('://') ? text : `http://${text}`))
  .refine(
    (text) =>
      isHttpUrl(text, (url) => `${url.pathname}${url.search}${url.hash}` === '/' && authorizationOf(url) !== null),
    'must be the http or https URL of a proxy, without a path, for instance http://user:password@proxy.example.com:3128',
  )
  .transform((text): TunnelProxy => {
    const url = new URL(text)
    return { origin: url.origin, authorization: authorizationOf(url) ?? undefined }
  })

/** Returns the Basic credentials of a URL (RFC 7617); undefined if it has none, null if they cannot be decoded. */
function authorizationOf({ username, password }: URL): string | undefined | null {
  if (username === '' && password === '') return undefined
  try {
    const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
    return `Basic ${Buffer.from(pair).toString('base64')}`
  } catch {
    return null
  }
}

/** One or more keys, newest first, so that keys can be replaced while tokens under older ones are in use. */
export const tokenKeys = z
  .string()
  .transform((text) => text.split(',').map((key) => key.trim()))
  .refine(
    (keys) => keys.every((key) => /^[\w+/-]{43}=?$/.test(key)),
    'must be 32 bytes in base64; make one with: openssl rand -base64 32 (separate several with commas)',
  )
  .transform((keys) => keys.map((key) => new Uint8Array(Buffer.from(key, 'base64'))))

export const basePath = z
  .string()
  .regex(/^(\/[\w.~-]+)+$/, 'must start with a slash and end without one, for instance /legacy')

/** ISO 8601, if it names an instant. */
const ISO_DATE = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/

/** Whether a text is a date that exists. JavaScript reads the 30th of February as a day in March. */
function isDate(text: string): boolean {
  if (!ISO_DATE.test(text) || Number.isNaN(Date.parse(text))) return false
  const day = text.slice(0, 'YYYY-MM-DD'.length)
  return new Date(day).toISOString().startsWith(day)
}

export const date = z
  .string()
  .refine(isDate, 'must be a date that exists, for instance 2027-06-30 or 2027-06-30T12:00:00Z')
  .transform((text) => new Date(text))

export const addressRanges = z
  .string()
  .transform((text, { addIssue }) => readAddressRanges(text, (message) => addIssue({ code: 'custom', message })))

const isOrigin = (text: string): boolean =>
  /^https?:[^*]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text

export const corsOrigins = z
  .string()
  .transform((text) => (text.trim() === '*' ? ('*' as const) : text.split(',').map((origin) => origin.trim())))
  .refine(
    (origins) => origins === '*' || origins.every(isOrigin),
    'must be * alone, or origins separated by commas, each as a browser sends it: scheme, host and port, without a path or a trailing slash, for instance https://app.example.com,http://localhost:3000',
  )

export const share = z
  .string()
  .regex(/^(0?\.\d{1,15}|[01](\.0{1,15})?)$/, 'must be a number from 0 to 1')
  .transform(Number)

/** The name of a header (RFC 9110 section 5.1), in lower case. */
export const headerName = z
  .string()
  .regex(/^[\w!#$%&'*+.^`|~-]+$/, 'must be the name of a header, for instance X-Release')
  .transform((name) => name.toLowerCase())

/**
 * Parts of addresses and credentials, and what an env file or a shell leaves around a value by mistake. A path with one of them is
 * rather a mistyped address of a database: it would be taken for a path, and shown with its password.
 */
const MISTYPED = /:\/\/|\/\/.*@|:.*@|\b(password|host)\s*=|^["'\s]|["'\s]$/i

/** Refuses texts that are probably meant to be the address of a database. */
export const stateDb = z
  .string()
  .refine(
    (text) => isPostgresUrl(text) || !MISTYPED.test(text.replace(/^file:/i, '')),
    'must be a file, :memory: or the URL of a PostgreSQL database (postgres://user:password@host:5432/name), without quotes or blanks around it',
  )

/** What a client can send in a header as it is (RFC 9110 section 5.5). Long enough not to be guessed. */
export const adminToken = z
  .string()
  .min(16, 'must have at least 16 characters')
  .regex(/^[!-~]([ -~]*[!-~])?$/, 'must be printable ASCII characters, without blanks at its ends')

export const schemaName = z
  .string()
  .regex(
    /^(?!pg_)[a-z_][a-z0-9_]{0,62}$/,
    'must be 1 to 63 characters of a-z, 0-9 and _, and must not begin with a digit or with pg_, which PostgreSQL reserves',
  )

export const replicaId = z
  .string()
  .regex(/^[\w.-]{1,128}$/, 'must be 1 to 128 letters, digits, dots, underscores and hyphens')

const FORM = 'must be an IP address or a CIDR range, for instance 192.0.2.7, 10.0.0.0/8 or fd00::/8'
/** RFC 4291 section 2.5.5.2. */
const IPV4_MAPPED = /^::ffff:\d+\./i

/**
 * Reads IPv4 and IPv6 addresses and CIDR ranges (RFC 4632, RFC 4291), separated by commas. An IPv4 range matches an
 * address also when it is written as IPv6 (`::ffff:10.0.0.1`), and the other way round.
 * @param onProblem called for each entry that is neither an address nor a range, with its position and what is wrong.
 */
export function readAddressRanges(text: string, onProblem: (problem: string) => void): BlockList {
  const ranges = new BlockList()
  for (const [index, entry] of text.split(',').entries()) {
    const problem = addRange(ranges, entry.trim())
    if (problem !== undefined) onProblem(`entry ${index + 1} ${problem}`)
  }
  return ranges
}

function addRange(ranges: BlockList, entry: string): string | undefined {
  const [address = '', prefix, ...more] = entry.split('/')
  const version = isIP(address)
  // A zone names an interface of one machine, not an address.
  if (version === 0 || address.includes('%') || more.length > 0) return FORM
  const family = version === 4 ? 'ipv4' : 'ipv6'
  const most = version === 4 ? 32 : 128
  // A shorter prefix was meant for the IPv4 address.
  const least = IPV4_MAPPED.test(address) ? 96 : 0
  const bits = prefix === undefined ? most : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN
  if (!(bits >= least && bits <= most)) return `must have a prefix length from ${least} to ${most}`
  // `::/0` is meant to include all clients, but nobody expects IPv4 in `::/64`.
  if (version === 6 && bits > 0 && bits < 96 && holdsAllIpv4(address, bits)) {
    return 'covers every IPv4 address in its IPv6 form: write IPv4 ranges as IPv4, or ::/0 for all clients'
  }
  ranges.addSubnet(address, bits, family)
  return undefined
}

function holdsAllIpv4(address: string, bits: number): boolean {
  const range = new BlockList()
  range.addSubnet(address, bits, 'ipv6')
  return range.check('::ffff:0.0.0.0', 'ipv6')
}
