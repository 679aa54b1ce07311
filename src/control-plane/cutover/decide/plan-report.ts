import type { Plan } from '../../rollout/plan.ts'
import { limitOf } from '../brake/brake.ts'
import type { CutoverReport } from '../cutover.ts'
import type { Position, Standing } from '../position.ts'
import { type Action, refusalOf } from './order.ts'
import { outlookOf } from './outlook.ts'

/** Returns a plan as `GET /cutover` shows it. */
export function reportOf(standing: Standing): CutoverReport {
  const { position, plan, v1 } = standing
  const { operation, state, percent, step, since, version } = position
  const { next, why } = outlookOf(standing)
  const { calls, failures } = v1
  return {
    ...{ operation, state, percent, step, steps: plan.steps, since, version, calls, next, why },
    ...{ run: toRun(standing), seed: plan.seed ?? null },
    brake: { failures, calls, limit: limitOf(standing) },
  }
}

/** Returns a plan that cannot be judged, as `GET /cutover` shows it: where it stands, without its evidence. */
export function unjudgedReport({ operation, ...position }: Position, plan: Plan): CutoverReport {
  const { state, percent, step, since, version } = position
  const { steps, seed } = plan
  const why = 'it cannot be judged and stays where it is; the log says why'
  return {
    ...{ operation, state, percent, step, steps, since, version, calls: 0, next: null, why },
    ...{ run: null, seed: seed ?? null },
    brake: { failures: 0, calls: 0, limit: 0 },
  }
}

/**
 * Returns what to do now, as a command that a shell can run; its reason is still to be written. Null: nothing, or only waiting, or a change of the
 * rollout file. After the brake it is not `resume`: first somebody must know what stopped the plan.
 */
function toRun(standing: Standing): string | null {
  const { operation, state, by } = standing.position
  if (state === 'stopped' && by === 'auto') return `legacy-gateway cutover audit --operation ${operation}`
  const action = ORDERS[state]
  if (action === undefined || refusalOf(action, standing) !== undefined) return null
  return `legacy-gateway cutover ${action} ${operation} --why …`
}

/** The orders that a plan waits for, by its state. */
const ORDERS: Readonly<Partial<Record<Position['state'], Action>>> = {
  'awaiting approval': 'approve',
  paused: 'resume',
  stopped: 'resume',
}
