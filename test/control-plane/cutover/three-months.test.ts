import { expect, it } from 'vitest'
import type { Plan } from '../../../src/control-plane/rollout/plan.ts'
import { randomFrom } from '../../support/simulate-ready.ts'
import { type SimulatedPlan, simulatedPlan } from './support/simulated-world.ts'
import { PLAN } from './support/standing.ts'

const MINUTE = 60_000
const DAY = 1_440 * MINUTE
/** A Monday, 00:00 in Istanbul, which is three hours ahead all year. */
const BEGIN = Date.parse('2027-03-01T00:00:00+03:00')
const DAYS = 92
const OFFICE = { days: [1, 2, 3, 4], from: '09:00', to: '16:00', zone: 'Europe/Istanbul' }
const STEPS: Plan = { ...PLAN, steps: [5, 25, 50, 100], calls: 200, minutes: 1_440, approve: [100], window: OFFICE }
const SICK = 'operation-3'

/** 14 operations: busy and quiet ones, with and without approvals and windows, and writes. */
const OPERATIONS = Array.from({ length: 14 }, (_, number) => ({
  id: `operation-${number + 1}`,
  callsADay: [400, 250, 120, 60, 40, 25, 15][number % 7] ?? 0,
  plan: planOf(number),
}))

function planOf(number: number): Plan {
  if (number === 2) return { ...STEPS, steps: [10, 25, 50, 100], minutes: 7 * 1_440 }
  if (number === 8) return { ...STEPS, withoutVerdict: 'it writes: what both answer cannot be compared' }
  if (number % 7 > 3) return { ...STEPS, steps: [25, 50, 100], calls: 20, approve: [] }
  if (number < 7) return STEPS
  const steps = [...(number === 7 ? [1] : []), 5, 10, 25, 50, 75, 100]
  return { ...STEPS, steps, calls: 100, window: undefined, approve: [5, 50] }
}

/** Days and hours differ: 1 by day, 0.1 at night, a third of both at the weekend. */
function busyAt(minute: number): number {
  const [hour, day] = [Math.floor(minute / 60) % 24, Math.floor(minute / 1_440) % 7]
  return (hour >= 8 && hour < 19 ? 1 : 0.1) * (day > 4 ? 0.33 : 1)
}

/** The sum of the above over a week, to make the calls of a day of it. */
const BUSY_DAY = Array.from({ length: 7 * 1_440 }, (_, minute) => busyAt(minute)).reduce((sum, one) => sum + one, 0) / 7

function threeMonths(): ReadonlyMap<string, SimulatedPlan> {
  const random = randomFrom(21)
  const plans = new Map(OPERATIONS.map(({ id, plan }) => [id, simulatedPlan(id, plan, new Date(BEGIN))]))
  for (let minute = 0; minute < DAYS * 1_440; minute++) {
    const now = new Date(BEGIN + minute * MINUTE)
    const day = Math.floor(minute / 1_440)
    const isMorning = minute % 1_440 === 10 * 60
    for (const { id, callsADay } of OPERATIONS) {
      const plan = plans.get(id) as SimulatedPlan
      const expected = (callsADay * busyAt(minute)) / BUSY_DAY
      const calls = Math.floor(expected) + (random() < expected % 1 ? 1 : 0)
      // From day 20 to 23 v1 fails every third call of one operation.
      const sick = id === SICK && day >= 20 && day < 23 ? 0.33 : 0.002
      for (let call = 0; call < calls; call++) {
        const client = `client-${Math.floor(40 * random() ** 2)}`
        plan.call(client, now, { v1: random() < sick, legacy: random() < 0.002 })
      }
      if (minute % 15 === 0) plan.decide(now)
      if (!isMorning) continue
      const { state } = plan.position()
      if (state === 'awaiting approval') plan.order('approve', 'ada', 'the figures are good', now)
      if (state === 'stopped' && day >= 24) plan.order('resume', 'grace', 'v1 has been mended', now)
    }
  }
  return plans
}

/** `day 20, 10:15: running at 25 % → stopped at 0 %: why (who)` */
const storyOf = ({ audit }: SimulatedPlan): readonly string[] =>
  audit.map(({ at, from, to, why, by, event }) => {
    const passed = Date.parse(at) - BEGIN
    const time = new Date(passed).toISOString().slice(11, 16)
    return `day ${Math.floor(passed / DAY)}, ${time}: ${event}, ${from} → ${to}: ${why} (${by})`
  })

it('a cut-over of three months ends with all done, and none before its evidence', { timeout: 120_000 }, () => {
  const plans = threeMonths()
  expect([...plans.values()].map((plan) => plan.position().state)).toEqual(OPERATIONS.map(() => 'done'))
  for (const plan of plans.values()) expectEvidence(plan)

  const braked = [...plans].filter(([, { audit }]) => audit.some(({ event }) => event === 'braked'))
  expect(braked.map(([id]) => id)).toEqual([SICK])

  const story = (id: string) => storyOf(plans.get(id) as SimulatedPlan)
  const sick = [
    'day 2, 09:00: advanced, waiting at 0 % → running at 10 %: the verdict is ready (auto)',
    'day 10, 09:00: advanced, running at 10 % → running at 25 %: v1 failed 0 of 202 calls in 8 days; the verdict is ready (auto)',
    'day 17, 09:00: advanced, running at 25 % → running at 50 %: v1 failed 0 of 331 calls in 7 days; the verdict is ready (auto)',
    'day 21, 09:26: braked, running at 50 % → stopped at 0 %: v1 failed 19 of 288 calls at this step; the legacy service 2 of 652 (auto)',
    'day 24, 10:00: resumed, stopped at 0 % → waiting at 0 %: v1 has been mended (grace)',
    'day 24, 10:15: advanced, waiting at 0 % → running at 10 %: the verdict is ready (auto)',
    'day 31, 14:00: advanced, running at 10 % → running at 25 %: v1 failed 1 of 201 calls in 7 days; the verdict is ready (auto)',
    'day 38, 14:00: advanced, running at 25 % → running at 50 %: v1 failed 0 of 319 calls in 7 days; the verdict is ready (auto)',
    'day 45, 14:00: approval-wanted, running at 50 % → awaiting approval at 50 %: needs an approval for 100 % (auto)',
    'day 46, 10:00: approved, awaiting approval at 50 % → running at 50 %: the figures are good (ada)',
    // Day 46 is a Friday, on which no step is taken.
    'day 49, 09:00: advanced, running at 50 % → running at 100 %: v1 failed 0 of 836 calls in 10 days; the verdict is ready (auto)',
    'day 56, 09:00: done, running at 100 % → done at 100 %: v1 answers 100 % of the clients; v1 failed 0 of 915 calls in 7 days (auto)',
  ]
  expect(story(SICK)).toEqual(sick)
  const without = 'no verdict is needed (it writes: what both answer cannot be compared)'
  expect(story('operation-9')).toEqual([
    `day 0, 09:00: advanced, waiting at 0 % → running at 5 %: ${without} (auto)`,
    `day 14, 09:00: advanced, running at 5 % → running at 25 %: v1 failed 0 of 207 calls in 14 days; ${without} (auto)`,
    `day 16, 09:00: advanced, running at 25 % → running at 50 %: v1 failed 0 of 251 calls in 48 hours; ${without} (auto)`,
    'day 17, 09:00: approval-wanted, running at 50 % → awaiting approval at 50 %: needs an approval for 100 % (auto)',
    'day 17, 10:00: approved, awaiting approval at 50 % → running at 50 %: the figures are good (ada)',
    `day 17, 10:15: advanced, running at 50 % → running at 100 %: v1 failed 0 of 253 calls in 25 hours; ${without} (auto)`,
    'day 18, 10:15: done, running at 100 % → done at 100 %: v1 answers 100 % of the clients; v1 failed 2 of 341 calls in 24 hours (auto)',
  ])
})

/** What the plans ask for, counted here from the audit and from the counts beneath, and by another calendar. */
function expectEvidence({ audit, plan }: SimulatedPlan): void {
  let reached = BEGIN
  let approved = false
  for (const { event, at, basis } of audit) {
    const { percent } = basis.position
    if (event === 'approved') approved = true
    if (event === 'advanced') {
      const next = plan.steps.find((step) => step > percent) ?? 0
      expect(basis.verdict === 'ready' || plan.withoutVerdict !== undefined).toBe(true)
      expect(percent === 0 || basis.v1.calls >= plan.calls).toBe(true)
      expect(percent === 0 || Date.parse(at) - reached >= plan.minutes * MINUTE).toBe(true)
      expect(approved || !plan.approve.includes(next)).toBe(true)
      const inIstanbul = new Date(Date.parse(at) + 180 * MINUTE)
      const isOffice =
        inIstanbul.getUTCDay() % 7 < 5 &&
        inIstanbul.getUTCDay() > 0 &&
        inIstanbul.getUTCHours() >= 9 &&
        inIstanbul.getUTCHours() < 16
      expect(plan.window === undefined || isOffice).toBe(true)
      approved = false
    }
    if (event === 'advanced' || event === 'braked' || (event === 'resumed' && percent === 0)) reached = Date.parse(at)
  }
}
