import { covers } from '../diff/path.ts'
import type { OperationReport } from '../tally/operation-report.ts'
import type { DifferenceReport } from '../tally/report-differences.ts'
import { endOf, type IgnoreRule, kindOf } from './ignore-rule.ts'

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

const STALE_MS = 30 * 86_400_000

/**
 * Returns a function that says how rules are used. The stored results say what a rule excused; since when it has been in the file
 * is only known as far back as the gateway's start.
 */
export function ruleUses(now: () => number) {
  const firstSeen = new Map<string, number>()

  return (rules: readonly IgnoreRule[], loadedAt: string | null, reports: readonly Reported[]): readonly RuleUse[] => {
    const texts = rules.map((rule) => JSON.stringify(rule))
    for (const known of firstSeen.keys()) if (!texts.includes(known)) firstSeen.delete(known)
    return rules.map((rule, index) => {
      const text = texts[index] as string
      const seen = firstSeen.get(text) ?? (loadedAt === null ? now() : Date.parse(loadedAt))
      firstSeen.set(text, seen)
      const own = reports.filter(({ operation }) => rule.operation === '*' || rule.operation === operation)
      const last = latest(
        own.flatMap(({ differences }) => differences.filter(isExcusedBy(rule)).map(({ until }) => until)),
      )
      const holds = now() < endOf(rule)
      // New versions begin without results, so the time counts from their beginning.
      const quietSince = last ?? Math.max(seen, latest(own.map(({ since }) => since)) ?? 0)
      return {
        ...rule,
        ...{ holds, lastExcused: last === null ? null : new Date(last).toISOString() },
        stale: holds && now() - quietSince > STALE_MS,
      }
    })
  }
}

const isExcusedBy =
  (rule: IgnoreRule) =>
  ({ ignored, kind, path }: Reported['differences'][number]): boolean =>
    ignored === `rule: ${rule.why}` && (kindOf(rule) ?? kind) === kind && covers(rule.path, path)

function latest(times: readonly (string | null)[]): number | null {
  const known = times.flatMap((time) => (time === null ? [] : [Date.parse(time)]))
  return known.length === 0 ? null : Math.max(...known)
}
