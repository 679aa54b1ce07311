import { parametersOf } from '../../../mapping/operation.ts'
import type { RequestMapping, Widened } from '../../../mapping/request.ts'
import type { AskedRequest } from '../coverage/lines-to-see.ts'
import { ExactNumber } from '../diff/decimal.ts'
import type { Part, Place } from '../diff/difference.ts'
import { isObject, type JsonValue } from '../diff/json-value.ts'
import { covers } from '../diff/path.ts'
import { languageOf } from '../reply.ts'
import { endOf, holdsFor, type IgnoreRule, isAbout, needsValues } from './ignore-rule.ts'

/** What is known of a call whose answers are compared. */
export interface KnownCall {
  /** The client's name in the rollout file; undefined: unknown, so that rules for a client do not hold. */
  readonly client: string | undefined
  /** The members that its request sends; see `Where.sent`. */
  readonly sent: readonly string[] | undefined
  readonly request: AskedRequest | undefined
}

/** What rules and the mapping allow while two answers are compared, because that needs the values. */
export interface Leniency {
  /** Returns the reason of the rule that excuses a place; undefined: none does. */
  excuses(place: Place, part: Part): string | undefined
  /** Whether the items of the array at this path may come in any order. */
  isUnordered(path: string): boolean
  /** Returns the request's member whose declared widening explains further rows of the list at this path; undefined: none does. */
  widenedBy(path: string, rows: readonly JsonValue[]): string | undefined
}

/**
 * Prepares the rules of an operation for one exchange; undefined: neither they nor the mapping need values.
 * @param now ms since the epoch.
 */
export function leniencyOf(
  rules: readonly IgnoreRule[],
  call: KnownCall,
  widening: Widening | undefined,
  now: number,
): Leniency | undefined {
  if (rules.length === 0 && widening === undefined) return undefined
  const holding = rules.filter(
    (rule) =>
      now < endOf(rule) && (rule.client === undefined || rule.client === call.client) && holdsFor(rule, call.sent),
  )
  const excusing = holding.filter(needsValues)
  const unordered = holding.filter((rule) => rule.unordered === true)
  if (excusing.length + unordered.length === 0 && widening === undefined) return undefined
  return {
    excuses: (place, part) =>
      excusing.find((rule) => isAbout(rule, { ...place, part }) && isTolerated(rule, place))?.why,
    isUnordered: (path) => unordered.some((rule) => covers(rule.path, path)),
    widenedBy: (path, rows) => (path === '' ? widening?.memberThatFinds(rows) : undefined),
  }
}

function isTolerated({ tolerance }: IgnoreRule, { control, candidate }: Place): boolean {
  return tolerance === undefined || isWithin(tolerance, numberOf(control), numberOf(candidate))
}

/** Allows for the rounding of doubles at the bound. */
const SLACK = 1 + 1e-9

const isWithin = (tolerance: number, control: number, candidate: number): boolean =>
  Math.abs(candidate - control) <= tolerance * Math.abs(control) * SLACK

function numberOf(value: JsonValue | undefined): number {
  if (value instanceof ExactNumber) return Number(value.text)
  return typeof value === 'number' ? value : Number.NaN
}

/** What a request makes v1 find beyond legacy, as the mapping declares. */
interface Widening {
  /** Returns the member of the request that makes v1 find all of these rows; undefined: none does. */
  memberThatFinds(rows: readonly JsonValue[]): string | undefined
}

/** Returns a function that says what a request widens; undefined: nothing. Only whole lists are widened, by query parameters. */
export function wideningReader(mapping: RequestMapping): (request: AskedRequest) => Widening | undefined {
  const declared = Object.entries(parametersOf(mapping)).flatMap(([name, { widened }]) =>
    widened === undefined ? [] : [[name, widened] as const],
  )
  if (declared.length === 0) return () => undefined
  return ({ query, headers }) => {
    const sent = new URLSearchParams(query)
    const holding = declared.flatMap(([name, widened]) => {
      // If a parameter is repeated, the last one counts.
      const text = sent.getAll(name).at(-1)
      const isShown = widened.language === undefined || widened.language === languageOf(headers)
      return isShown && text !== undefined && text !== '' ? [{ name, widened, text: folded(text) }] : []
    })
    if (holding.length === 0) return undefined
    return {
      memberThatFinds: (rows) =>
        holding.find(({ widened, text }) => rows.every((row) => isFound(row, widened, text)))?.name,
    }
  }
}

function isFound(row: JsonValue, { member }: Widened, text: string): boolean {
  const value = isObject(row) && Object.hasOwn(row, member) ? row[member] : undefined
  return typeof value === 'string' && folded(value).includes(text)
}

/** Folds upper and lower case, in Turkish and in English: `İ`, `I` and `ı` become `i`. */
const folded = (text: string): string => text.normalize('NFC').replace(/[Iİı]/g, 'i').toLowerCase().normalize('NFC')
