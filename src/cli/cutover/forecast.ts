import type { OperationRollout } from '../../compare/rollout/rollout.ts'
import type { Verdict } from '../../compare/tally/verdict.ts'
import { outlookOf } from '../../cutover/decide/outlook.ts'
import { startOf } from '../../cutover/position.ts'
import type { CutoverReport } from '../../cutover/report.ts'
import type { Operation } from '../../mapping/operation.ts'
import { whoAnswers } from '../rollout/describe-rollout.ts'

/** What is known about an operation now. */
export interface Known {
  /** Undefined: it has no plan, or no gateway was asked. */
  readonly report: CutoverReport | undefined
  readonly verdict: Verdict
}

const NOBODY = { calls: 0, failures: 0, times: [] }

/** Returns what a rollout file would do with an operation now, in words. */
export function forecast(
  operation: Operation,
  own: OperationRollout,
  { report, verdict }: Known,
  there: { readonly hasLegacy: boolean; readonly now: Date },
): string {
  const { plan } = own
  if (plan === undefined) {
    const text = whoAnswers(operation, own, there.hasLegacy)
    const after = own.serve === 'v1' ? 100 : own.v1Percent
    if (report === undefined || report.percent === after) return text
    return `the plan ends: v1 goes from ${report.percent} % to ${after} % at once; ${text}`
  }
  const position = { ...startOf(operation.id, there.now.toISOString()), ...placeOf(report) }
  // Failures are left to the gateway's brake, which also knows those of the legacy service.
  const v1 = { ...NOBODY, calls: report?.calls ?? 0 }
  const stays = `${report === undefined ? 'begins' : 'stays'} at ${position.percent} %`
  if (report !== undefined && HELD.has(report.state)) return `${stays}: ${report.why}`
  const { move, next, why } = outlookOf({ position, plan, verdict, isFresh: true, v1, legacy: NOBODY, now: there.now })
  if (move === undefined || move.to.percent === position.percent) {
    return `${stays}${next === null ? '' : `, next ${next} %`}: ${why}`
  }
  return `goes from ${position.percent} % to ${move.to.percent} % at once: ${why}`
}

/** The states that only a person can end. */
const HELD: ReadonlySet<string> = new Set(['paused', 'stopped'])

const placeOf = (report: CutoverReport | undefined) =>
  report && { state: report.state, percent: report.percent, step: report.step, since: report.since }
