import { DAY_MS } from '../../../common/time.ts'
import { isBody, type Kind, type Where } from '../diff/difference.ts'
import { covers, isWhole } from '../diff/path.ts'

/** A rule that keeps differences from counting. Plain data; a condition that is left out always holds. */
export interface IgnoreRule {
  /** An operation's id, or `*`. */
  readonly operation: string
  /** A legacy path, with indices as `[]`. The rule covers everything beneath it too. */
  readonly path: string
  /** Only differences of this kind; undefined: of every kind except status, failure and header. */
  readonly kind?: Kind | undefined
  /** Only this change, as reports show it: `200 → 400`. Such a rule covers only its own path; see `isAbout`. */
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
 * Whether a rule is about a difference, regardless of its values, the call and the day: it covers its own path and those beneath it.
 * If it names a change, it covers only its own path; and a change of length only if nothing else about the items changed. Only a rule
 * of its own kind covers a status, a failure or a header.
 */
export function isAbout(rule: IgnoreRule, { part, kind, path, detail, isPure }: Omit<Where, 'sent'>): boolean {
  const ruleKind = kindOf(rule)
  if (ruleKind === undefined ? !isBody(part) : ruleKind !== kind) return false
  if (rule.details !== undefined && rule.details !== detail) return false
  if (rule.details === undefined || kind === 'header') return covers(rule.path, path)
  return rule.path === path && (kind !== 'length' || isPure === true)
}

/** Returns a function that selects the rules at a path and above it, in their order. There may be thousands of rules at other paths. */
export function rulesByPath(rules: readonly IgnoreRule[]): (path: string) => readonly IgnoreRule[] {
  const order = new Map(rules.map((rule, at) => [rule, at]))
  const byPath = Map.groupBy(rules, ({ path }) => path)
  const longest = rules.reduce((most, { path }) => Math.max(most, path.length), 0)
  return (path) => {
    const found: IgnoreRule[] = []
    // The path may be much deeper than that of any rule.
    for (let end = 0; end <= Math.min(path.length, longest); end++) {
      if (isWhole(path, end)) found.push(...(byPath.get(path.slice(0, end)) ?? []))
    }
    return found.sort((a, b) => Number(order.get(a)) - Number(order.get(b)))
  }
}

/**
 * Returns a function that finds the first rule that excuses a class of difference now; undefined: none does. Leaves out rules that
 * need values: they acted during the comparison.
 * @param now ms since the epoch.
 */
export function ruleFinder(rules: readonly IgnoreRule[], now: () => number): (where: Where) => IgnoreRule | undefined {
  const rulesAt = rulesByPath(rules.filter((rule) => !needsValues(rule)))
  return (where) =>
    rulesAt(where.path).find((rule) => isAbout(rule, where) && holdsFor(rule, where.sent) && now() < endOf(rule))
}
