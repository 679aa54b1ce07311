import { count, counted, inElapsed, listed } from '../../common/figures.ts'
import { brakeReason } from '../brake/brake.ts'
import type { Outlook, Standing } from '../move.ts'
import { NO_VERDICT } from '../recorded-word.ts'
import { minutesAt, missingCalls, missingFor, missingInWords, nextStep } from './missing.ts'
import { advanceTo, stateMove, stopMove } from './moves.ts'

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
