import { count, counted, inDuration, inElapsed, listed } from '../../../common/figures.ts'
import { MINUTE_MS } from '../../../common/time.ts'
import type { Plan } from '../../rollout/plan.ts'
import { NO_VERDICT } from '../audit.ts'
import { brakeReason } from '../brake/brake.ts'
import type { Move, Outlook, Position, Standing } from '../position.ts'
import { inWords, isOpen, nextOpening } from './window.ts'

/**
 * Returns what comes next for a plan, by its rules (docs/cutover.md). The brake comes first, then what a person decided, then the next step, one at a
 * time. If the steps in the file have changed, the percentage stays until a step above it is due. Only a stop lowers it.
 */
export function outlookOf(standing: Standing): Outlook {
  const { position, plan } = standing
  const { state, percent, by } = position
  const next = nextStep(plan, position)
  const nothing = (why: string): Outlook => ({ why, next, move: undefined })
  if (state === 'stopped') {
    return nothing(`stopped by ${by === 'auto' ? 'the brake' : by}: ${position.why}`)
  }
  const reason = brakeReason(standing)
  if (reason !== undefined) return { why: reason, next, move: stopMove('braked', reason) }
  if (state === 'paused') return nothing(`paused by ${by}: ${position.why}`)
  if (next === null && state === 'done') return nothing(`done: ${answersNow(percent)}`)
  const outlook = next === null ? towardsEnd(standing) : towards(next, standing)
  // Until it is judged anew, its verdict may be `not ready`.
  return outlook.move === undefined || standing.isFresh ? outlook : nothing(UNREAD)
}

const UNREAD = 'waits until the results of all gateways have been read from STATE_DB'

function towards(next: number, standing: Standing): Outlook {
  const { position, plan } = standing
  if (position.state === 'done') {
    const why = `the plan now continues to ${next} %`
    return { why, next, move: stateMove('resumed', position, {}, why) }
  }
  const missing = missingFor(next, standing)
  const why = missingInWords(missing)
  if (missing.waits.length > 0) return { why, next, move: undefined }
  if (missing.approval === undefined) {
    const because = evidenceOf(standing)
    return { why: because, next, move: advanceTo(next, plan, because) }
  }
  // While it waits, `why` names the percentage that was asked for: the file may now have another.
  const isAsked = position.state === 'awaiting approval' && position.why === why
  const move = isAsked ? undefined : stateMove('approval-wanted', position, { state: 'awaiting approval' }, why)
  return { why, next, move }
}

/** What comes after the last step, which must last like any other. */
function towardsEnd(standing: Standing): Outlook {
  const { position } = standing
  const waits = missingCalls(standing)
  if (waits.length > 0) return { why: `waits for ${listed(waits)} before it is done`, next: null, move: undefined }
  const why = `${answersNow(position.percent)}; ${seenAt(standing)}`
  return { why, next: null, move: stateMove('done', position, { state: 'done', approved: null }, why) }
}

const answersNow = (percent: number): string => `v1 answers ${percent} % of the clients`

/** The evidence on which the next step is taken. */
function evidenceOf(standing: Standing): string {
  const { position, plan, verdict } = standing
  const judged = verdict === 'ready' ? 'the verdict is ready' : `${NO_VERDICT} (${plan.withoutVerdict})`
  return position.percent === 0 ? judged : `${seenAt(standing)}; ${judged}`
}

/** What was seen at the step that ends. */
const seenAt = ({ position, v1, now }: Standing): string =>
  `v1 failed ${count(v1.failures)} of ${counted(v1.calls, 'call')} in ${inElapsed(minutesAt(position, now))}`

/** What the next step still lacks, in words. */
export interface Missing {
  /** `312 more calls`, `14 minutes`, `the verdict (insufficient data)`, `the window: Monday 09:00 Europe/Istanbul`, `the gate (it says: …)` */
  readonly waits: readonly string[]
  /** `an approval for 100 %` */
  readonly approval: string | undefined
}

/** Returns the percentage of the next step: the first above the plan's current one, even if its steps were changed; null if there is none. */
export const nextStep = (plan: Plan, { percent }: Pick<Position, 'percent'>): number | null =>
  plan.steps.find((step) => step > percent) ?? null

/** Returns what keeps a plan from its next step, apart from the brake. */
function missingFor(next: number, standing: Standing): Missing {
  const { plan, position } = standing
  const isMissingApproval = plan.approve.includes(next) && position.approved !== next
  return {
    waits: [
      ...[...missingCalls(standing), ...missingVerdict(standing)],
      ...[...missingWindow(standing), ...missingGate(standing)],
    ],
    approval: isMissingApproval ? `an approval for ${next} %` : undefined,
  }
}

/** Returns what the current step still lacks: calls of v1, and minutes. Empty before the first step. */
function missingCalls({ position, plan, v1, now }: Standing): readonly string[] {
  if (position.percent === 0) return []
  const calls = plan.calls - v1.calls
  const minutes = plan.minutes - minutesAt(position, now)
  return [...(calls > 0 ? [counted(calls, 'more call')] : []), ...(minutes > 0 ? [inDuration(minutes)] : [])]
}

/** How long a step has lasted. */
const minutesAt = ({ since }: Pick<Position, 'since'>, now: Date): number =>
  (now.getTime() - Date.parse(since)) / MINUTE_MS

/** A plan can do without a verdict if it says why, but not if the verdict is `not ready`. */
function missingVerdict({ plan, verdict }: Standing): readonly string[] {
  const isEnough = verdict === 'ready' || (verdict === 'insufficient data' && plan.withoutVerdict !== undefined)
  return isEnough ? [] : [`the verdict (${verdict})`]
}

function missingWindow({ plan: { window }, now }: Standing): readonly string[] {
  if (window === undefined || isOpen(window, now)) return []
  const opens = nextOpening(window, now)
  return [opens === undefined ? 'the window' : `the window: ${inWords(opens, window.zone)}`]
}

/** The gate's own word is not among the moves: it holds a step, and neither the brake nor a stop. */
const missingGate = ({ plan: { gate }, position: { gateWaits } }: Standing): readonly string[] =>
  gate === undefined || gateWaits === undefined ? [] : [`the gate (it ${gateWaits})`]

/** `waits for 312 more calls and 14 minutes; needs an approval for 100 %` */
const missingInWords = ({ waits, approval }: Missing): string =>
  [
    ...(waits.length > 0 ? [`waits for ${listed(waits)}`] : []),
    ...(approval === undefined ? [] : [`needs ${approval}`]),
  ].join('; ')

/** The only move that raises a percentage: to the next step. */
export const advanceTo = (next: number, plan: Plan, why: string): Move => ({
  event: 'advanced',
  to: { state: 'running', percent: next, step: plan.steps.indexOf(next) + 1, approved: null },
  isNewStage: true,
  why,
})

/** Takes the plan to 0 % at once, by the brake or by hand. `why` says what it stopped for. */
export const stopMove = (event: 'braked' | 'stopped', why: string): Move => ({
  event,
  to: { state: 'stopped', percent: 0, step: 0, approved: null },
  isNewStage: true,
  why,
})

/** Changes only the state, and perhaps the approval. */
export const stateMove = (
  event: Move['event'],
  { percent, step, approved }: Position,
  to: Partial<Move['to']>,
  why: string,
): Move => ({ event, to: { state: activeState(percent), percent, step, approved, ...to }, isNewStage: false, why })

const activeState = (percent: number): 'waiting' | 'running' => (percent === 0 ? 'waiting' : 'running')
