import { DAY_MS } from '../../../common/time.ts'
import type { OperationReport } from '../tally/operation-report.ts'
import type { DifferenceReport } from '../tally/report-differences.ts'
import { endOf, type IgnoreRule, kindOf, rulesByPath } from './ignore-rule.ts'

/** A rule, and whether it still has any effect. */
export interface RuleUse extends IgnoreRule {
  /** Whether its last day is not over. */
  readonly holds: boolean
  /** When a difference that it excuses was last seen, ISO 8601; null: never, in the results of the newest versions. */
  readonly lastExcused: string | null
  /** Whether it holds and has excused nothing for 30 days. */
  readonly stale: boolean
}

type Reported = Pick<OperationReport, 'operation' | 'since'> & {
  readonly differences: readonly Pick<DifferenceReport, 'ignored' | 'kind' | 'path' | 'until'>[]
}

const STALE_MS = 30 * DAY_MS
/** The beginning of the reason of a difference that a rule excuses. */
const RULE = 'rule: '
const EVERYTHING = '*'

/**
 * Returns a function that works out how rules are used, by the results of all operations. The stored results say what a rule excused; since when it has been
 * in the file is only known as far back as the gateway's start.
 */
export function ruleUses(now: () => number) {
  /** When rules were first in the file, by their text. */
  let firstSeen: ReadonlyMap<string, number> = new Map()

  return (rules: readonly IgnoreRule[], loadedAt: string | null, reports: readonly Reported[]): readonly RuleUse[] => {
    const newlySeen = loadedAt === null ? now() : Date.parse(loadedAt)
    const texts = new Map(rules.map((rule) => [rule, JSON.stringify(rule)]))
    const before = firstSeen
    firstSeen = new Map(Array.from(texts.values(), (text) => [text, before.get(text) ?? newlySeen]))
    const rulesAt = rulesByPath(rules)
    /** When rules last excused a difference, in ms since the epoch. */
    const lastExcuses = new Map<IgnoreRule, number>()
    /** When the newest results of an operation began, or the last of all (`*`), in ms since the epoch. */
    const beginnings = new Map<string, number>()
    for (const { operation, since, differences } of reports) {
      if (since !== null) {
        for (const subject of [operation, EVERYTHING]) raise(beginnings, subject, Date.parse(since))
      }
      for (const { ignored, kind, path, until } of differences) {
        if (until === null || ignored?.startsWith(RULE) !== true) continue
        for (const rule of rulesAt(path)) {
          const isOfOperation = rule.operation === operation || rule.operation === EVERYTHING
          const isReason = rule.why === ignored.slice(RULE.length) && (kindOf(rule) ?? kind) === kind
          if (isOfOperation && isReason) raise(lastExcuses, rule, Date.parse(until))
        }
      }
    }
    return rules.map((rule) => {
      const last = lastExcuses.get(rule)
      const holds = now() < endOf(rule)
      const isIn = firstSeen.get(texts.get(rule) ?? '') ?? newlySeen
      // New versions begin without results, so the time counts from their beginning.
      const quietSince = last ?? Math.max(isIn, beginnings.get(rule.operation) ?? 0)
      return {
        ...rule,
        holds,
        lastExcused: last === undefined ? null : new Date(last).toISOString(),
        stale: holds && now() - quietSince > STALE_MS,
      }
    })
  }
}

/** Raises a value to at least this. */
function raise<Key>(values: Map<Key, number>, key: Key, least: number): void {
  values.set(key, Math.max(values.get(key) ?? least, least))
}
