import { distance } from '../../compare/rollout/similar.ts'
import { variables } from './variables.ts'

/** A variable that the gateway does not know, and those that were perhaps meant. */
export interface SimilarName {
  readonly name: string
  readonly similar: readonly string[]
}

type Environment = Readonly<Record<string, string | undefined>>

const KNOWN = Object.keys(variables.shape)

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
/** libpq's variables, and those of whoever builds or deploys the gateway. */
const NOT_OURS = /^(PG|LEGACY_GATEWAY_)/

/** Returns the variables that are set, not known, and much like a known one, whatever their case and separators. */
export function similarNames(env: Environment): readonly SimilarName[] {
  return Object.keys(env).flatMap((name) => {
    if (!env[name] || KNOWN.includes(name) || isOfOthers(name)) return []
    const similar = KNOWN.filter((known) => isSimilar(name, known))
    if (similar.length > 0) return [{ name, similar }]
    const family = FAMILIES.find((prefix) => name.startsWith(prefix))
    return family === undefined ? [] : [{ name, similar: KNOWN.filter((known) => known.startsWith(family)) }]
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

function isSimilar(name: string, known: string): boolean {
  const [given, wanted] = [name, known].map((text) => text.toUpperCase().replace(/[-.\s]/g, '_')) as [string, string]
  const most = wanted.length <= SHORT ? MOST_LETTERS_OF_SHORT : MOST_LETTERS
  return withoutSeparators(given) === withoutSeparators(wanted) || distance(given, wanted) <= most
}

const withoutSeparators = (name: string): string => name.replaceAll('_', '')
