import { oneTime } from '../../../../src/common/histogram.ts'
import type { SideAnswers, Standing } from '../../../../src/control-plane/cutover/position.ts'
import { type Position, startOf } from '../../../../src/control-plane/cutover/position.ts'
import type { Plan } from '../../../../src/control-plane/rollout/plan.ts'

/** A Wednesday. */
export const NOW = new Date('2027-03-10T12:00:00.000Z')

export const minutesAgo = (minutes: number): string => new Date(NOW.getTime() - minutes * 60_000).toISOString()

/** Five steps, of which the last needs an approval. */
export const PLAN: Plan = {
  steps: [1, 5, 25, 50, 100],
  calls: 500,
  minutes: 60,
  approve: [100],
  window: undefined,
  brake: { errors: 0.01, slowdown: 2 },
  withoutVerdict: undefined,
}

export const side = (calls: number, failures = 0, times: SideAnswers['times'] = []): SideAnswers => ({
  ...{ calls, failures, times },
})

/** So many calls, each of which took so long. */
export const timed = (calls: number, milliseconds: number): SideAnswers => {
  const [bucket = 0] = oneTime(milliseconds)[0] ?? []
  return side(calls, 0, [[bucket, calls]])
}

/** Returns a position at a step of a plan; 0: before the first one. */
export const at = (percent: number, given: Partial<Position> = {}, plan: Plan = PLAN): Position => ({
  ...startOf('invoices', minutesAgo(0)),
  ...{
    state: percent === 0 ? 'waiting' : 'running',
    percent,
    step: plan.steps.indexOf(percent) + 1,
    version: 7,
    stage: 6,
  },
  ...given,
})

/** What stands at 5 %, just begun, with a verdict that is ready, unless told otherwise. */
export const standing = (
  given: Partial<Omit<Standing, 'plan'>> & { readonly plan?: Partial<Plan> } = {},
): Standing => ({
  ...{ position: at(5), verdict: 'ready', isFresh: true, v1: side(0), legacy: side(10_000), now: NOW },
  ...given,
  plan: { ...PLAN, ...given.plan },
})

/** What has all that the next step needs. */
export const proven = (given: Parameters<typeof standing>[0] = {}): Standing =>
  standing({ v1: side(512, 1), position: at(5, { since: minutesAgo(75) }), ...given })
