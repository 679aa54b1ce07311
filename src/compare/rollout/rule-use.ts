import { DAY_MS } from '../../common/time.ts'
import type { Kind } from '../diff/difference.ts'
import { isWhole } from '../diff/path.ts'
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

const STALE_MS = 30 * DAY_MS
/** What the reason of a difference that a rule excuses begins with. */
const RULE = 'rule: '
const EVERYTHING = '*'

/** Says how rules are used, by results that have been noted. Each call takes little time, so that there may be a pause after it. */
export interface RuleUses {
  /** Notes the results of an operation. */
  note(report: Reported): void
  /** `rule`: one of the rules that were given, the object itself. */
  of(rule: IgnoreRule): RuleUse
}

/**
 * Returns a function that begins to work out how rules are used. The stored results say what a rule excused; since when it has been
 * in the file is only known as far back as the gateway's start.
 */
export function ruleUses(now: () => number) {
  /** When rules were first in the file, by their text. */
  let firstSeen: ReadonlyMap<string, number> = new Map()

  return (rules: readonly IgnoreRule[], loadedAt: string | null): RuleUses => {
    const before = firstSeen
    const newlySeen = loadedAt === null ? now() : Date.parse(loadedAt)
    const seen = new Map(
      rules.map((rule) => {
        const text = JSON.stringify(rule)
        return [rule, { text, at: before.get(text) ?? newlySeen }]
      }),
    )
    firstSeen = new Map(Array.from(seen.values(), ({ text, at }) => [text, at]))
    const excuses = lastExcuses(rules)
    const begun = latestBeginnings()
    return {
      note(report) {
        excuses.note(report)
        begun.note(report)
      },
      of(rule) {
        const last = excuses.by(rule)
        const holds = now() < endOf(rule)
        // New versions begin without results, so the time counts from their beginning.
        const quietSince = last ?? Math.max(seen.get(rule)?.at ?? newlySeen, begun.of(rule.operation))
        return {
          ...rule,
          ...{ holds, lastExcused: last === undefined ? null : new Date(last).toISOString() },
          stale: holds && now() - quietSince > STALE_MS,
        }
      },
    }
  }
}

/** Finds when rules last excused a difference, in ms since the epoch. A difference takes a time that does not depend on the number of rules. */
function lastExcuses(rules: readonly IgnoreRule[]) {
  const paths = new Set(rules.map(({ path }) => path))
  const longest = rules.reduce((most, { path }) => Math.max(most, path.length), 0)
  const times = new Map<string, number>()
  const keyOf = (operation: string, kind: Kind | undefined, path: string, why: string): string =>
    `${operation}\t${kind ?? ''}\t${path}\t${why}`
  return {
    note({ operation, differences }: Reported): void {
      for (const { ignored, kind, path, until } of differences) {
        if (until === null || ignored?.startsWith(RULE) !== true) continue
        const [why, at] = [ignored.slice(RULE.length), Date.parse(until)]
        for (let end = 0; end <= Math.min(path.length, longest); end++) {
          const above = path.slice(0, end)
          if (!isWhole(path, end) || !paths.has(above)) continue
          for (const one of [operation, EVERYTHING]) {
            for (const key of [keyOf(one, kind, above, why), keyOf(one, undefined, above, why)])
              times.set(key, Math.max(times.get(key) ?? at, at))
          }
        }
      }
    },
    by: (rule: IgnoreRule): number | undefined => times.get(keyOf(rule.operation, kindOf(rule), rule.path, rule.why)),
  }
}

/** Finds when the newest results of an operation began, or the last of all (`*`), in ms since the epoch; 0: there are none. */
function latestBeginnings() {
  const times = new Map<string, number>()
  const of = (operation: string): number => times.get(operation) ?? 0
  return {
    note({ operation, since }: Reported): void {
      if (since === null) return
      for (const one of [operation, EVERYTHING]) times.set(one, Math.max(of(one), Date.parse(since)))
    },
    of,
  }
}
