import { limitOf } from '../brake/brake.ts'
import type { Standing } from '../move.ts'
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
