import { z } from 'zod'
import { distance, similarTo } from '../../common/similar.ts'
import { COMPARED_HEADERS } from '../../exchange/compared-headers.ts'
import { lineText } from '../evidence/coverage/lines-to-see.ts'
import { isJudgedByChange, KINDS } from '../evidence/diff/difference.ts'
import type { IgnoreRule } from '../evidence/expected/ignore-rule.ts'

/** Stands among the lines for each member that requests may have and v1 does not get, or each parameter beside a body. */
export const ANY_MEMBER = 'request *'
export const ANY_PARAMETER = 'request ?*'

/** Returns what may be waived of an operation: its lines to be seen, and names of what v1 does not get, as `lineText` writes them. */
export type LinesOf = (operation: string) => readonly string[]

const said = z.string().trim().min(1)

/** A line of a mapping that need not be seen, or a member that v1 need not get. */
export type WaiveRule = Readonly<z.output<ReturnType<typeof waiveRule>>>

/**
 * Returns the schema of a rule that waives a line of an operation's mapping, or with `*` a line of any mapping.
 * @param named the schema of an operation.
 */
export const waiveRule = (named: z.ZodType<string>, ids: readonly string[], linesOf: LinesOf) =>
  z
    .strictObject({
      operation: named,
      /** A line of the mapping: `request statusId`; or what v1 does not get: `request companyId`, `value sortBy`. */
      line: z.string(),
      /** Whether no line of the mapping is meant, so that the name may be like one. */
      notSent: z.literal(true, 'must be true, or left out').optional(),
      why: said,
      /** Who decided it. */
      by: said,
    })
    .check(({ value, issues }) => {
      const { operation, line, notSent } = value
      const all = new Set(linesIn(operation, ids, linesOf))
      const isNotSent = all.has(line.startsWith('request ?') ? ANY_PARAMETER : ANY_MEMBER) && NOT_SENT.test(line)
      const lines = [...all].filter((one) => one !== ANY_MEMBER && one !== ANY_PARAMETER)
      if (lines.includes(line) || (isNotSent && (notSent === true || !lines.some((other) => isMeant(line, other)))))
        return
      const where = operation === '*' ? 'any operation' : operation
      issues.push({ code: 'custom', path: ['line'], message: noSuchLine(line, where, lines, isNotSent), input: value })
    })

/**
 * Returns the rules that excuse writes of which v1 does not get a waived member, by operation; none: what is waived is a line of the mapping,
 * which need not be seen, and says nothing about members beneath that v1 does not get.
 */
export function rulesOfWaived(
  { operation, line, notSent, why, by }: WaiveRule,
  ids: readonly string[],
  linesOf: LinesOf,
): readonly IgnoreRule[] {
  const path = /^(?:request|value) (.+)$/s.exec(line)?.[1]
  if (path === undefined) return []
  const isLine = (id: string): boolean => notSent !== true && linesOf(id).includes(line)
  return ids.flatMap((id) =>
    (operation === '*' || operation === id) && !isLine(id) ? [{ operation: id, path, kind: 'dropped', why, by }] : [],
  )
}

/** Returns the lines of an operation, or with `*` of all. */
const linesIn = (operation: string, ids: readonly string[], linesOf: LinesOf): readonly string[] => [
  ...new Set(ids.filter((id) => operation === '*' || operation === id).flatMap(linesOf)),
]

/** The most lines that are suggested. */
const NEAR = 3

/** The names of what v1 does not get have this form. */
const NOT_SENT = /^request \S/

/** Whether a name was probably meant for a line: it is a part of its name, or differs by one letter or in upper and lower case. */
const isMeant = (name: string, line: string): boolean =>
  line.startsWith('request ') && (line.toLowerCase().includes(name.toLowerCase()) || distance(name, line) <= 1)

function noSuchLine(line: string, operation: string, lines: readonly string[], isNotSent: boolean): string {
  const problem = `${JSON.stringify(line)} is not a line to be seen of ${operation}`
  if (lines.length === 0) return `${problem}: it has none`
  const remedy = isNotSent ? '; if clients send a member of this name and v1 does not get it, add "notSent": true' : ''
  return `${problem}; similar lines: ${nearestTo(line, lines)}${remedy}`
}

/** Lists the names that are most like a text: `"search", "code"`. */
function nearestTo(text: string, names: readonly string[]): string {
  const meant = text.trim()
  const near = names.map((other) => ({ other, far: other.includes(meant) ? 0 : distance(meant, other) }))
  near.sort((a, b) => a.far - b.far)
  return near
    .slice(0, NEAR)
    .map(({ other }) => JSON.stringify(other))
    .join(', ')
}

/** A place in a legacy answer, with indices as `[]`. */
export interface Place {
  readonly path: string
  /** Whether an object stands there whose members are all known. */
  readonly isClosed: boolean
}

/** Returns the places in the answers of an operation that its mapping knows. */
export type PlacesOf = (operation: string) => readonly Place[]

/**
 * Finds a path that an ignore rule mistypes: no member of an object whose members are all known, and similar to one that is. Another
 * unknown member is no mistake, since the legacy service may have members that no mapping knows.
 */
export function unknownMember(
  { operation, path, kind }: IgnoreRule,
  index: number,
  ids: readonly string[],
  placesOf: PlacesOf,
): readonly string[] {
  // Headers have a list of their own, and nobody knows what requests may have beside what a mapping reads.
  if (path === '' || kind === 'header' || kind === 'dropped') return []
  const places = ids.filter((id) => operation === '*' || operation === id).flatMap(placesOf)
  const paths = [...new Set(places.map((place) => place.path))]
  if (paths.some((place) => place === path || place.startsWith(`${path}.`) || place.startsWith(`${path}[`))) return []
  const parent = path.slice(0, Math.max(path.lastIndexOf('.'), 0))
  if (!places.some((place) => place.isClosed && place.path === parent)) return []
  const within = parent === '' ? 0 : parent.length + 1
  const siblings = paths.filter((place) => place.startsWith(path.slice(0, within)))
  const similar = similarTo(
    path.slice(within),
    siblings.map((place) => place.slice(within)),
  )
  if (similar.length === 0) return []
  const names = similar.map((name) => path.slice(0, within) + name)
  return [`ignore.${index}.path: no member ${path}; similar: ${names.join(', ')}`]
}

/** Returns the members of a rule that contradict each other, with what is wrong. */
function* contradictionsIn(rule: IgnoreRule): Iterable<readonly [member: keyof IgnoreRule, message: string]> {
  const { path, kind, details, when, client, tolerance, unordered } = rule
  const isWhole = kind === 'status' || kind === 'failure'
  if (path === '' && kind === undefined)
    yield ['kind', 'the path "" covers every difference: name a kind, for instance "status"']
  if (isWhole && path !== '') yield ['path', 'the path of a status or a failure is ""']
  if (kind === 'header' && !['', ...COMPARED_HEADERS].includes(path))
    yield ['path', `no such header is compared; expected one of ${COMPARED_HEADERS.join(', ')}`]
  if (details !== undefined && (kind === undefined || !isJudgedByChange(kind)))
    yield [
      'details',
      'details apply only to the kinds status, failure, header, type and length: name one of them as kind',
    ]
  if (details !== undefined && kind !== 'failure' && !/^\S.* → .*\S$/.test(details))
    yield ['details', 'must be the change as reports show it, for instance "200 → 400"']
  if (tolerance !== undefined && kind !== undefined && kind !== 'changed')
    yield ['tolerance', 'a tolerance applies to numbers that changed: leave out kind, or set it to "changed"']
  if (unordered !== undefined && kind !== undefined && kind !== 'order')
    yield ['unordered', 'unordered is about the order of items: leave out kind, or set it to "order"']
  if (tolerance !== undefined && unordered !== undefined)
    yield ['unordered', 'a rule can have a tolerance or be unordered, not both: write two rules']
  if (when !== undefined && Object.keys(when).length === 0)
    yield ['when', 'name at least one member of the request, for instance { "search": true }']
  if (kind === 'dropped' && when !== undefined)
    yield ['when', 'v1 does not get the member, whatever else the call sends: leave out when']
  if (client !== undefined && unordered !== undefined)
    yield ['client', 'unordered applies to all clients: leave out client']
}

/** What the names of request members begin with among the lines of a mapping; see `lineText`. */
const REQUEST = lineText({ part: 'request', legacy: '' })

/** Returns what is wrong with the members that a rule names in `when`. */
function unknownMembers(
  { operation, when = {} }: Pick<IgnoreRule, 'operation' | 'when'>,
  ids: readonly string[],
  linesOf: LinesOf,
): readonly (readonly [member: string, problem: string])[] {
  const members = linesIn(operation, ids, linesOf).flatMap((line) =>
    line.startsWith(REQUEST) && line !== ANY_MEMBER && line !== ANY_PARAMETER ? [line.slice(REQUEST.length)] : [],
  )
  const where = operation === '*' ? 'any operation' : operation
  return Object.keys(when)
    .filter((name) => !members.includes(name))
    .map((name) => {
      const problem = `${JSON.stringify(name)} is not a member of a request of ${where} that the mapping reads`
      return [name, `${problem}${members.length === 0 ? '' : `; similar members: ${nearestTo(name, members)}`}`]
    })
}

const TOLERANCE = 'must be a share of the number, above 0 and below 1, for instance 0.01'

/**
 * The schema of a rule.
 * @param named the schema of its operation.
 * @param ids the operations that it may name.
 */
export const ignoreRule = (named: z.ZodType<string>, ids: readonly string[], linesOf: LinesOf) =>
  z
    .strictObject({
      operation: named,
      path: z.string(),
      kind: z.enum(KINDS).optional(),
      details: z.string().trim().min(1).optional(),
      when: z.record(z.string(), z.boolean('must be true (sent) or false (not sent)')).optional(),
      client: z.string().min(1).optional(),
      tolerance: z.number(TOLERANCE).gt(0, TOLERANCE).lt(1, TOLERANCE).optional(),
      unordered: z.literal(true, 'must be true, or left out').optional(),
      until: z.iso.date('must be the last day on which the rule holds, for instance "2027-01-31"').optional(),
      by: z.string().trim().min(1).optional(),
      why: z.string().trim().min(1),
    })
    .check(({ value, issues }) => {
      for (const [member, message] of contradictionsIn(value)) {
        issues.push({ code: 'custom', path: [member], message, input: value })
      }
      for (const [member, message] of unknownMembers(value, ids, linesOf)) {
        issues.push({ code: 'custom', path: ['when', member], message, input: value })
      }
    })
