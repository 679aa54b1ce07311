import type { Plan } from '../../compare/rollout/plan.ts'
import { limitOf } from '../brake/brake.ts'
import type { Standing } from '../move.ts'
import type { Position } from '../position.ts'
import type { CutoverReport } from '../report.ts'
import { outlookOf } from './outlook.ts'

/** Returns a plan as `GET /cutover` shows it. */
export function reportOf(standing: Standing): CutoverReport {
  const { position, plan, v1 } = standing
  const { operation, state, percent, step, since, version } = position
  const { next, why } = outlookOf(standing)
  const { calls, failures } = v1
  return {
    ...{ operation, state, percent, step, steps: plan.steps, since, version, calls, next, why },
    brake: { failures, calls, limit: limitOf(standing) },
  }
}

/** Returns a plan that cannot be judged, as `GET /cutover` shows it: where it stands, without its evidence. */
export function unjudgedReport({ operation, ...position }: Position, { steps }: Plan): CutoverReport {
  const { state, percent, step, since, version } = position
  const why = 'it cannot be judged and stays where it is; the log says why'
  return {
    ...{ operation, state, percent, step, steps, since, version, calls: 0, next: null, why },
    brake: { failures: 0, calls: 0, limit: 0 },
  }
}
