import { covers } from '../diff/path.ts'
import type { OperationReport } from '../tally/operation-report.ts'
import type { DifferenceReport } from '../tally/report-differences.ts'
import { endOf, type IgnoreRule, kindOf } from './ignore-rule.ts'

/** A rule, and whether it still does anything. */
export interface RuleUse extends IgnoreRule {
  /** Its last day is not over. */
  readonly holds: boolean
  /** When a difference that it excuses was last seen, ISO 8601; null: never, in the results of the newest versions. */
  readonly lastExcused: string | null
  /** It holds, and has excused nothing for 30 days. */
  readonly stale: boolean
}

type Reported = Pick<OperationReport, 'operation' | 'since'> & {
  readonly differences: readonly Pick<DifferenceReport, 'ignored' | 'kind' | 'path' | 'until'>[]
}

const STALE_MS = 30 * 86_400_000

/**
 * Returns how rules are used. What they excuse is in the stored results; since when a rule has been there is known since the
 * start only.
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
      // New versions begin without results: a rule has the time since then.
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
