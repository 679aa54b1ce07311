import { resolve } from 'node:path'
import { distance } from '../common/similar.ts'
import type { Side } from '../exchange/exchange.ts'
import { variables } from './variables.ts'

/** The variables that are set. */
type Environment = Readonly<Record<string, string | undefined>>

/** Who answers where the rollout file says nothing. Unless `SERVE` says otherwise, the legacy service if one is configured. */
export const defaultSide = (legacyBaseUrl: URL | undefined, serve: Side | undefined): Side =>
  serve ?? (legacyBaseUrl === undefined ? 'v1' : 'legacy')

/**
 * Returns why calls cannot be served by these services, with the remedy. Without both addresses, the sandbox stands in for both
 * services; it must never stand in for one of them while clients reach the other.
 */
export function missingServices(set: Environment): readonly string[] {
  const { V1_BASE_URL: v1, LEGACY_BASE_URL: legacy, SERVE: serve } = set
  const mistyped = ADDRESSES.flatMap((wanted) => {
    const name = mistypedFormOf(wanted, set)
    return name === undefined
      ? []
      : [`${wanted} is not set, but ${name} is, which the gateway does not read: rename it`]
  })
  if (mistyped.length > 0) return mistyped
  if (legacy !== undefined && v1 === undefined) return [V1_IS_MISSING]
  return serve === 'legacy' && v1 !== undefined && legacy === undefined ? [LEGACY_IS_MISSING] : []
}

const ADDRESSES = ['V1_BASE_URL', 'LEGACY_BASE_URL']

/** Says that a variable is not read, and which was perhaps meant. */
export const notRead = ({ name, similar }: SimilarName): string =>
  `${name} is no variable of the gateway, and not read; similar: ${similar.join(', ')}`

const V1_IS_MISSING =
  'V1_BASE_URL must be set when LEGACY_BASE_URL is: otherwise the made-up data of the sandbox would stand in for v1. Set it to the address of v1; for a trial, start "legacy-gateway sandbox" and set it to the address that this prints'
const LEGACY_IS_MISSING =
  'SERVE is legacy, but no legacy service is configured: set LEGACY_BASE_URL to its address, or SERVE to v1'

/** Files that the gateway writes. */
const WRITTEN = ['RECORD_FILE', 'STATE_DB', 'STATE_CACHE', 'SANDBOX_DB'] as const
/** Files that it only reads. */
const READ = [
  ...['ROLLOUT_FILE', 'MAPPING_FILE', 'DOSSIER_KEY', 'V1_CLIENT_CERT', 'V1_CLIENT_KEY', 'V1_CA'],
  ...['LEGACY_CLIENT_CERT', 'LEGACY_CLIENT_KEY', 'LEGACY_CA', 'TLS_CERT', 'TLS_KEY'],
  ...['V1_COPY_CLIENT_CERT', 'V1_COPY_CLIENT_KEY', 'V1_COPY_CA'],
] as const

/** Returns what is wrong if a file that the gateway writes is named by two variables: one use would destroy the other. */
export function sharedFiles(set: Environment): readonly string[] {
  const names = [...WRITTEN, ...READ]
  return WRITTEN.flatMap((name, index) => {
    const path = pathOf(set[name])
    if (path === undefined) return []
    return names
      .slice(index + 1)
      .filter((other) => pathOf(set[other]) === path)
      .map((other) => `${name} and ${other} name the same file: give each a file of its own`)
  })
}

/** Undefined: the value names no file. A device such as /dev/null may be named twice. */
function pathOf(value: string | undefined): string | undefined {
  if (value === undefined || value === ':memory:' || value.includes('://')) return undefined
  const path = resolve(value.replace(/^file:/i, ''))
  return path.startsWith('/dev/') ? undefined : path
}

type Address = readonly [host: string, port: number]

/** Whether two listeners cannot both have these addresses. Port 0 means any free port. */
export function isOneAddress([host, port]: Address, [otherHost, otherPort]: Address): boolean {
  if (port !== otherPort || port === 0) return false
  return host === otherHost || [host, otherHost].some((each) => each === '0.0.0.0' || each === '::')
}

/** Whether a service's URL leads back to the gateway, as far as its address shows. */
export function isOwnAddress(
  { protocol, hostname, port }: URL,
  { HOST, PORT, TLS_CERT }: { readonly HOST: string; readonly PORT: number; readonly TLS_CERT?: string | undefined },
): boolean {
  const [scheme, usual] = TLS_CERT === undefined ? ['http:', 80] : ['https:', 443]
  const host = hostOf(hostname)
  const listensHere = host === HOST || (isLoopback(host) && (isLoopback(HOST) || HOST === '0.0.0.0' || HOST === '::'))
  return protocol === scheme && listensHere && Number(port || usual) === PORT
}

/** Returns the host of a URL: an IPv6 address without its brackets, a name without the dot of the root. */
export const hostOf = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')

/** Whether a host is this machine, as far as its name shows. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
}

/** A variable that the gateway does not know, and those that were perhaps meant. */
interface SimilarName {
  readonly name: string
  readonly similar: readonly string[]
}

const VARIABLES = Object.keys(variables.shape)

/** Names are similar if this many letters differ; short names are like too many others (HOME, POST). */
const MOST_LETTERS = 2
const MOST_LETTERS_OF_SHORT = 1
const SHORT = 4

/** Other programs read these. */
const OF_OTHERS: ReadonlySet<string> = new Set(['HTTP_PROXY', 'ALL_PROXY', 'FTP_PROXY'])
/** Beginnings that only the gateway's variables have; unknown ones are named with all that begin so. */
const FAMILIES = ['V1_', 'LEGACY_']
/** Kubernetes sets these for each Service of a namespace, also for one whose name is `legacy` or `legacy-gateway`. */
const OF_KUBERNETES = /_(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT(_\d+_(TCP|UDP|SCTP)(_\w+)?)?)$/
/** libpq's variables, those of whoever builds or deploys the gateway, and those that only commands read. */
const NOT_OURS = /^(PG|LEGACY_GATEWAY_|(SECRET_KEY|LEGACY_TOKEN|V1_TOKEN)$)/

/** Returns the variables that are set, not known, and much like a known one, whatever their case and separators. */
export function similarNames(env: Environment): readonly SimilarName[] {
  return Object.keys(env).flatMap((name) => {
    if (!env[name] || VARIABLES.includes(name) || isOfOthers(name)) return []
    const similar = VARIABLES.filter((variable) => isSimilar(name, variable))
    if (similar.length > 0) return [{ name, similar }]
    const family = FAMILIES.find((prefix) => name.startsWith(prefix))
    return family === undefined ? [] : [{ name, similar: VARIABLES.filter((variable) => variable.startsWith(family)) }]
  })
}

/**
 * Returns a variable that is set and is a mistyped form of this one, which is not set; undefined: there is none. A name with another
 * number (`V2_BASE_URL`) is another name.
 */
export const mistypedFormOf = (wanted: string, env: Environment): string | undefined =>
  env[wanted]
    ? undefined
    : similarNames(env).find(({ name }) => isSimilar(name, wanted) && digitsOf(name) === digitsOf(wanted))?.name

const isOfOthers = (name: string): boolean =>
  OF_OTHERS.has(name.toUpperCase()) || NOT_OURS.test(name) || OF_KUBERNETES.test(name)

const digitsOf = (name: string): string => name.replace(/\D/g, '')

function isSimilar(name: string, variable: string): boolean {
  const [written, wanted] = [name, variable].map((text) => text.toUpperCase().replace(/[-.\s]/g, '_')) as [
    string,
    string,
  ]
  const most = wanted.length <= SHORT ? MOST_LETTERS_OF_SHORT : MOST_LETTERS
  return withoutSeparators(written) === withoutSeparators(wanted) || distance(written, wanted) <= most
}

const withoutSeparators = (name: string): string => name.replaceAll('_', '')
