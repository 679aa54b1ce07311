import { z } from 'zod'
import { DAY_MS } from '../../common/time.ts'
import { COMPARED_HEADERS } from '../../exchange/compared-headers.ts'
import { lineText } from '../coverage/lines-to-see.ts'
import { isBody, isJudgedByChange, KINDS, type Kind, type Where } from '../diff/difference.ts'
import { covers, isWhole } from '../diff/path.ts'
import { ANY_MEMBER, ANY_PARAMETER, type LinesOf, linesIn, nearestTo } from './rule-schemas.ts'

/** A rule that keeps differences from counting. Plain data; a condition that is left out always holds. */
export interface IgnoreRule {
  /** An operation's id, or `*`. */
  readonly operation: string
  /** A legacy path, with indices as `[]`. The rule covers everything beneath it too. */
  readonly path: string
  /** Only differences of this kind; undefined: of every kind except status, failure and header. */
  readonly kind?: Kind | undefined
  /** Only this change, as reports show it: `200 → 400`. Such a rule covers only its own path; see `coversPlace`. */
  readonly details?: string | undefined
  /**
   * Only calls that send these members of the request (`true`), or do not (`false`). A member is sent if it has a value that v1
   * gets or that the gateway refuses; see `sentMembers`.
   */
  readonly when?: Readonly<Record<string, boolean>> | undefined
  /** Only calls of this client, named as in `clients`. */
  readonly client?: string | undefined
  /** Numbers may differ by this share of the control's: 0.01 is 1 %. */
  readonly tolerance?: number | undefined
  /** The items of arrays may come in any order. */
  readonly unordered?: true | undefined
  /** The last day on which the rule holds, UTC: `2027-01-31`. */
  readonly until?: string | undefined
  readonly by?: string | undefined
  readonly why: string
}

/** Returns the end of a rule's last day, in ms since the epoch. */
export const endOf = ({ until }: IgnoreRule): number =>
  until === undefined ? Number.POSITIVE_INFINITY : Date.parse(until) + DAY_MS

/** Returns the kind of difference that a rule is about; undefined: every kind except status, failure and header. */
export function kindOf({ kind, tolerance, unordered }: IgnoreRule): Kind | undefined {
  if (tolerance !== undefined) return 'changed'
  return unordered === undefined ? kind : 'order'
}

/**
 * Whether a rule needs the values of both answers, or the client. Such a rule acts during the comparison, and excuses for good.
 * Other rules also apply to earlier results.
 */
export const needsValues = ({ tolerance, client }: IgnoreRule): boolean =>
  tolerance !== undefined || client !== undefined

/** Whether a rule applies to calls that send these members; undefined: unknown, so that a rule with `when` does not apply. */
export function holdsFor({ when }: IgnoreRule, sent: readonly string[] | undefined): boolean {
  if (when === undefined) return true
  return sent !== undefined && Object.entries(when).every(([member, isSent]) => sent.includes(member) === isSent)
}

/**
 * Whether a rule covers a place: its own path or one beneath it. If it names a change, only its own path; and a change of length only
 * if nothing else about the items changed.
 */
export function coversPlace(
  rule: IgnoreRule,
  { kind, path, isPure }: Pick<Where, 'kind' | 'path' | 'isPure'>,
): boolean {
  if (rule.details === undefined || kind === 'header') return covers(rule.path, path)
  return rule.path === path && (kind !== 'length' || isPure === true)
}

/** A contradiction in a rule: the member, the message, and whether a rule has it. */
type Contradiction = readonly [member: keyof IgnoreRule, message: string, holds: (rule: IgnoreRule) => boolean]

const CONTRADICTIONS: readonly Contradiction[] = [
  [
    'kind',
    'the path "" covers every difference: name a kind, for instance "status"',
    ({ path, kind }) => path === '' && kind === undefined,
  ],
  [
    'path',
    'the path of a status or a failure is ""',
    ({ path, kind }) => (kind === 'status' || kind === 'failure') && path !== '',
  ],
  [
    'path',
    `no such header is compared; expected one of ${COMPARED_HEADERS.join(', ')}`,
    ({ path, kind }) => kind === 'header' && !['', ...COMPARED_HEADERS].includes(path),
  ],
  [
    'details',
    'details apply only to the kinds status, failure, header, type and length: name one of them as kind',
    ({ kind, details }) => details !== undefined && (kind === undefined || !isJudgedByChange(kind)),
  ],
  [
    'details',
    'must be the change as reports show it, for instance "200 → 400"',
    ({ kind, details }) => details !== undefined && kind !== 'failure' && !/^\S.* → .*\S$/.test(details),
  ],
  [
    'tolerance',
    'a tolerance applies to numbers that changed: leave out kind, or set it to "changed"',
    ({ kind, tolerance }) => tolerance !== undefined && kind !== undefined && kind !== 'changed',
  ],
  [
    'unordered',
    'unordered is about the order of items: leave out kind, or set it to "order"',
    ({ kind, unordered }) => unordered !== undefined && kind !== undefined && kind !== 'order',
  ],
  [
    'unordered',
    'a rule can have a tolerance or be unordered, not both: write two rules',
    ({ tolerance, unordered }) => tolerance !== undefined && unordered !== undefined,
  ],
  [
    'when',
    'name at least one member of the request, for instance { "search": true }',
    ({ when }) => when !== undefined && Object.keys(when).length === 0,
  ],
  [
    'client',
    'unordered applies to all clients: leave out client',
    ({ client, unordered }) => client !== undefined && unordered !== undefined,
  ],
]

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
      tolerance: z.number('must be a share of the number, for instance 0.01').gt(0).lt(1).optional(),
      unordered: z.literal(true).optional(),
      until: z.iso.date('must be the last day on which the rule holds, for instance "2027-01-31"').optional(),
      by: z.string().trim().min(1).optional(),
      why: z.string().trim().min(1),
    })
    .check(({ value, issues }) => {
      for (const [member, message, holds] of CONTRADICTIONS) {
        if (holds(value)) issues.push({ code: 'custom', path: [member], message, input: value })
      }
      for (const [member, message] of unknownMembers(value, ids, linesOf)) {
        issues.push({ code: 'custom', path: ['when', member], message, input: value })
      }
    })

/** Finds the first rule that covers a class of difference; undefined: none does. */
export type FindRule = (where: Where) => IgnoreRule | undefined

/**
 * Finds the rules that hold now by the class of a difference, in a time that does not depend on their number. Leaves out rules
 * that need values: they acted during the comparison.
 * @param now ms since the epoch.
 */
export function ruleFinder(rules: readonly IgnoreRule[], now: () => number): FindRule {
  const byClass = rules.filter((rule) => !needsValues(rule))
  let find: FindRule = () => undefined
  /** When the next of the rules ends. */
  let until = Number.NEGATIVE_INFINITY
  return (where) => {
    const at = now()
    if (at >= until) {
      const holding = byClass.filter((rule) => at < endOf(rule))
      until = Math.min(...holding.map(endOf))
      find = finderOf(holding)
    }
    return find(where)
  }
}

/** Only a rule of its own kind covers a status, a failure or a header. */
function finderOf(rules: readonly IgnoreRule[]): FindRule {
  /** The numbers of the rules for the same class, which differ only in `when`. */
  const orders = new Map<string, number[]>()
  const keyOf = (kind: Kind | undefined, details: string | undefined, path: string): string =>
    `${kind ?? ''} ${path}\t${details ?? ''}`
  for (const [order, rule] of rules.entries()) {
    const key = keyOf(kindOf(rule), rule.details, rule.path)
    const alike = orders.get(key)
    if (alike === undefined) orders.set(key, [order])
    // A rule behind one that always holds never comes first.
    else if (rules[alike.at(-1) as number]?.when !== undefined) alike.push(order)
  }
  const paths = new Set(rules.map(({ path }) => path))
  const longest = rules.reduce((most, { path }) => Math.max(most, path.length), 0)
  return (where) => {
    const { part, kind, path, detail, sent } = where
    const asked: (readonly [Kind | undefined, string | undefined])[] = [
      [kind, undefined],
      [kind, detail],
    ]
    if (isBody(part)) asked.push([undefined, undefined])
    let first = rules.length
    // The place may be much deeper than any rule's path.
    for (let end = 0; end <= Math.min(path.length, longest); end++) {
      if (!isWhole(path, end)) continue
      const above = path.slice(0, end)
      // Most paths have no rule.
      if (!paths.has(above)) continue
      for (const [one, details] of asked) {
        const order = orders.get(keyOf(one, details, above))?.find((at) => {
          const rule = rules[at] as IgnoreRule
          return holdsFor(rule, sent) && coversPlace(rule, where)
        })
        first = Math.min(first, order ?? first)
      }
    }
    return rules[first]
  }
}
