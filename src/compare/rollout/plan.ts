import { z } from 'zod'
import { planWindow, type Window } from './plan-window.ts'
import { strictObject } from './strict-object.ts'

/** How an operation moves from the legacy service to v1, step by step. Defaults are filled in. */
export interface Plan {
  /** The percentages of clients that v1 answers, step by step: increasing, above 0 and up to 100. */
  readonly steps: readonly number[]
  /** How many calls v1 must have answered at a step before the next one. */
  readonly calls: number
  /** How long a step must last before the next one. */
  readonly minutes: number
  /** Steps that an operator must approve before they are taken. */
  readonly approve: readonly number[]
  /** When steps may be taken; undefined: at any time. */
  readonly window: Window | undefined
  readonly brake: Brake
  /** Why steps may be taken without the verdict `ready`, as for a write, which is never compared; undefined: they may not. */
  readonly withoutVerdict: string | undefined
}

/** What stops a plan. */
export interface Brake {
  /** How much v1's share of failures may be above the legacy service's, 0 to 1. */
  readonly errors: number
  /** v1's p95 may be this many times the legacy service's, plus 20 ms. */
  readonly slowdown: number
}

const STEP = 'must be a percentage of clients, above 0 and up to 100'
const STEPS = 'must be percentages that grow, for instance [1, 5, 25, 50, 100]'
const CALLS = 'must be a whole number of calls, at least 1'
const MINUTES = 'must be a number of minutes, at least 0'
const ERRORS = 'must be a share of calls, from 0 to below 1, for instance 0.01'
const SLOWDOWN = 'must be a number above 0, for instance 2'

/** The most steps: more are a mistake. */
const MOST_STEPS = 100

const step = z.number(STEP).gt(0, STEP).max(100, STEP)

const steps = z
  .array(step, STEPS)
  .min(1, `${STEPS}; the list is empty`)
  .max(MOST_STEPS, `must be ${MOST_STEPS} steps at most`)
  .refine((given) => backward(given) === -1, {
    error: ({ input }) => {
      const given = input as readonly number[]
      const at = backward(given)
      return `${STEPS}; here ${given[at]} follows ${given[at - 1]}`
    },
  })

/** Returns the index of the first step that is not above the one before; -1: all are. */
const backward = (given: readonly number[]): number =>
  given.findIndex((percent, at) => at > 0 && percent <= (given[at - 1] as number))

const brake = strictObject({
  errors: z.number(ERRORS).min(0, ERRORS).lt(1, ERRORS).default(0.01),
  slowdown: z.number(SLOWDOWN).gt(0, SLOWDOWN).default(2),
})

const numbers = z.object({ steps: z.array(z.number()), approve: z.array(z.number()) })

/** Returns the percentages to approve that are not steps; empty if either list is invalid, which another check reports. */
function notSteps(plan: unknown): readonly number[] {
  const { data } = numbers.safeParse(plan)
  return data?.approve.filter((percent) => !data.steps.includes(percent)) ?? []
}

/** The schema of a plan. It fills in the defaults. */
export const plan = strictObject({
  steps,
  calls: z.int(CALLS).min(1, CALLS).default(100),
  minutes: z.number(MINUTES).min(0, MINUTES).default(10),
  approve: z.array(step, 'must be the steps that need approval, for instance [100]').default([]),
  window: planWindow.optional(),
  brake: brake.prefault({}),
  withoutVerdict: z
    .string('must be a sentence that says why')
    .trim()
    .min(1, 'must be a sentence that says why')
    .optional(),
})
  .refine((given) => notSteps(given).length === 0, {
    path: ['approve'],
    // Runs even if other members are invalid, so that all problems are reported at once.
    when: ({ value }) => typeof value === 'object' && value !== null,
    error: ({ input }) => `not among the steps: ${notSteps(input).join(', ')}; expected percentages from steps`,
  })
  .transform(({ window, withoutVerdict, ...others }): Plan => ({ ...others, window, withoutVerdict }))
