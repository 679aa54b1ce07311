import { z } from 'zod'
import { isReceiverUrl, RECEIVER_URL } from '../../common/http-url.ts'
import { strictObject } from '../../common/mistakes.ts'

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const DAYS_WRITTEN = 'must be days of the week, for instance "Mon-Thu" or "Mon,Wed,Fri"'
const TIME = 'must be a time of day, from "00:00" to "23:59"'
const ZONE = 'must be an IANA time zone, for instance "Europe/Istanbul" or "UTC"'

const time = z.string(TIME).regex(/^([01]\d|2[0-3]):[0-5]\d$/, TIME)

/** When a step may be taken, in local time. */
export type Window = Readonly<z.output<typeof planWindow>>

const planWindow = strictObject({
  /** Days of the week, such as `Mon-Thu`, which become numbers from 1 (Monday) to 7 (Sunday). */
  days: z.string(DAYS_WRITTEN).transform((text, { addIssue }) => {
    const numbers = daysOf(text)
    if (numbers === undefined) addIssue(`${DAYS_WRITTEN}; got ${JSON.stringify(text)}`)
    return numbers ?? []
  }),
  from: time,
  /** If earlier than `from`, it is on the next day. */
  to: time,
  zone: z.string(ZONE).refine(isZone, { error: ({ input }) => `${ZONE}; got ${JSON.stringify(input)}` }),
}).refine(({ from, to }) => from !== to, {
  path: ['to'],
  when: ({ value }) => typeof value === 'object' && value !== null && 'from' in value && 'to' in value,
  error: 'must be another time than from; for a whole day write "00:00" and "23:59"',
})

/** Reads `Mon-Thu`, `Mon,Wed,Fri`, or a mix of both; a span may go past Sunday. Undefined: the text is malformed. */
function daysOf(text: string): readonly number[] | undefined {
  const found = new Set<number>()
  for (const part of text.split(',')) {
    const ends = part.split('-').map((name) => DAYS.indexOf(name.trim()))
    const [from = -1, to = from] = ends
    if (ends.length > 2 || from < 0 || to < 0) return undefined
    for (let day = from; ; day = (day + 1) % DAYS.length) {
      found.add(day + 1)
      if (day === to) break
    }
  }
  return [...found].sort((a, b) => a - b)
}

/** Writes days as a plan names them: `Mon-Thu`, `Mon,Wed`. */
export function daysText(days: readonly number[]): string {
  const [first = 1] = days
  const isSpan = days.length > 1 && days.every((day, at) => day === first + at)
  const names = days.map((day) => DAYS[day - 1])
  return isSpan ? `${names[0]}-${names.at(-1)}` : names.join(',')
}

/** Whether a text names a zone. Offsets such as `+03:00` do not: they do not say when clocks change. */
function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
    return /^[A-Za-z]/.test(zone)
  } catch {
    return false
  }
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

/** Percentages of clients that v1 answers, step by step. */
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
  .readonly()

/** Returns the index of the first step that is not above the one before; -1: all are. */
const backward = (given: readonly number[]): number =>
  given.findIndex((percent, at) => at > 0 && percent <= (given[at - 1] as number))

/** What stops a plan. */
export type Brake = Readonly<z.output<typeof brake>>

const brake = strictObject({
  /** How much v1's share of failures may be above the legacy service's, 0 to 1. */
  errors: z.number(ERRORS).min(0, ERRORS).lt(1, ERRORS).default(0.01),
  /** v1's p95 may be this many times the legacy service's, plus 20 ms. */
  slowdown: z.number(SLOWDOWN).gt(0, SLOWDOWN).default(2),
})

const TIMEOUT = 'must be a whole number of milliseconds, from 1 to 30000'

/** Whom the gateway asks before each step, and every minute. */
export type Gate = Readonly<z.output<typeof gate>>

const gate = strictObject({
  /** Its path and query may be secret: see `gateName`. */
  url: z.string(RECEIVER_URL).refine(isReceiverUrl, RECEIVER_URL),
  /** How long an answer may take. */
  timeoutMs: z.int(TIMEOUT).min(1, TIMEOUT).max(30_000, TIMEOUT).default(3_000),
})

/** Returns what may be shown of a gate: where it is, without its path and query. */
export const gateName = ({ url }: Pick<Gate, 'url'>): string => new URL(url).origin

const SEED = 'must be a text of 1 to 100 characters, for instance "2027-03"'

const numbers = z.object({ steps: z.array(z.number()), approve: z.array(z.number()) })

/** Returns the percentages to approve that are not steps; empty if either list is invalid, which another check reports. */
function notSteps(plan: unknown): readonly number[] {
  const { data } = numbers.safeParse(plan)
  return data?.approve.filter((percent) => !data.steps.includes(percent)) ?? []
}

/** How an operation moves from the legacy service to v1, step by step. */
export type Plan = Readonly<z.output<typeof plan>>

/** The schema of a plan. It fills in the defaults. */
export const plan = strictObject({
  steps,
  /** How many calls v1 must have answered at a step before the next one, and how long the step must last. */
  calls: z.int(CALLS).min(1, CALLS).default(100),
  minutes: z.number(MINUTES).min(0, MINUTES).default(10),
  /** Steps that an operator must approve before they are taken. */
  approve: z.array(step, 'must be the steps that need approval, for instance [100]').readonly().default([]),
  /** Unset: steps may be taken at any time. */
  window: planWindow.optional(),
  brake: brake.prefault({}),
  /** Unset: nobody is asked. */
  gate: gate.optional(),
  /** Draws the clients together with their ids; unset: their ids alone do, as for all plans without one. */
  seed: z.string(SEED).min(1, SEED).max(100, SEED).optional(),
  /** Why steps may be taken without the verdict `ready`, as for a write without a copy of v1; unset: they may not. */
  withoutVerdict: z
    .string('must be a sentence that says why')
    .trim()
    .min(1, 'must be a sentence that says why')
    .optional(),
}).refine((given) => notSteps(given).length === 0, {
  path: ['approve'],
  // Runs even if other members are invalid, so that all problems are reported at once.
  when: ({ value }) => typeof value === 'object' && value !== null,
  error: ({ input }) => `not among the steps: ${notSteps(input).join(', ')}; expected percentages from steps`,
})
