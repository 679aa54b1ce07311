import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ACTIONS } from '../../../src/control-plane/cutover/decide/order.ts'
import { outlookOf } from '../../../src/control-plane/cutover/decide/outlook.ts'
import { reportOf } from '../../../src/control-plane/cutover/decide/plan-report.ts'
import type { Plan } from '../../../src/control-plane/rollout/plan.ts'
import { simulatedPlan } from './support/simulated-world.ts'
import { PLAN } from './support/standing.ts'

const BEGIN = Date.parse('2027-03-01T00:00:00Z')
const at = (seconds: number): Date => new Date(BEGIN + seconds * 1_000)
const GOOD = { v1: false, legacy: false }
const BROKEN = { v1: true, legacy: false }
const AT_ONCE: Plan = { ...PLAN, approve: [], withoutVerdict: 'it writes' }

/** A plan at 5 %, and two clients, of which v1 answers one. */
function atFive() {
  const world = simulatedPlan('invoices', AT_ONCE, at(0))
  world.decide(at(0))
  world.order('advance', 'ada', 'it is small', at(0))
  const ofV1 = Array.from({ length: 1_000 }, (_, number) => `client-${number}`).filter((client) => {
    const before = world.standing(at(0)).v1.calls
    world.call(client, at(0), GOOD)
    return world.standing(at(0)).v1.calls > before
  })
  return { world, ofV1 }
}

it('5 % of the clients are few, and always the same', () => {
  const { world, ofV1 } = atFive()
  expect(ofV1.length).toBeGreaterThan(20)
  expect(ofV1.length).toBeLessThan(90)
  for (const client of ofV1) world.call(client, at(1), GOOD)
  expect(world.standing(at(1)).v1.calls).toBe(2 * ofV1.length)
})

describe('a v1 that fails everything from its first call on, at 5 % of the clients', () => {
  const begin = () => {
    const world = simulatedPlan('invoices', AT_ONCE, at(0))
    world.decide(at(0))
    world.order('advance', 'ada', 'it is small', at(0))
    const [client = ''] = atFive().ofV1
    for (let call = 0; call < 380; call++) world.call(`other-${call % 7}`, at(0), GOOD)
    return { world, client, calls: world.standing(at(0)).v1.calls }
  }

  it.each([
    ['1 call a minute', 60],
    ['20 calls a second', 1 / 20],
  ])('is braked within 20 calls, at %s that v1 answers', (_, everySeconds) => {
    const { world, client, calls } = begin()
    expect(calls).toBe(0)
    let call = 0
    while (world.position().state === 'running' && call < 100) world.call(client, at(++call * everySeconds), BROKEN)
    expect(call).toBe(20)
    expect(world.position()).toMatchObject({ state: 'stopped', percent: 0, by: 'auto' })
    // So within 5 s at 20 calls a second.
    expect(Date.parse(world.position().since)).toBe(BEGIN + 20 * everySeconds * 1_000)
    // It stays there.
    world.decide(at(1_000_000))
    expect(reportOf(world.standing(at(1_000_000)))).toMatchObject({
      state: 'stopped',
      why: 'stopped by the brake: v1 failed 20 of 20 calls at this step; the legacy service 0 of 380',
    })
  })
})

it('a week without calls advances nothing, whatever the verdict', () => {
  const { world } = atFive()
  const { position } = world
  const before = position()
  for (let minute = 0; minute <= 7 * 1_440; minute++) world.decide(at(minute * 60))
  expect(position()).toEqual(before)
  const { why } = outlookOf(world.standing(at(7 * 86_400)))
  expect(why).toMatch(/^waits for \d+ more calls$/)
})

it('whatever is called, ordered and decided: a percentage grows by one step and by an advance only, and the brake beats everything', () => {
  const event = fc.oneof(
    fc.record({ kind: fc.constant('calls' as const), count: fc.nat(400), v1Fails: fc.constantFrom(0, 0, 0, 0.02, 1) }),
    fc.record({ kind: fc.constant('passes' as const), minutes: fc.nat(90) }),
    fc.record({ kind: fc.constant('order' as const), action: fc.constantFrom(...ACTIONS) }),
  )
  const steps = fc.uniqueArray(fc.integer({ min: 10, max: 100 }), { minLength: 1, maxLength: 5 })
  const plans = fc.record({ steps, approveLast: fc.boolean(), writes: fc.boolean() })
  const approvable = (plan: {
    readonly steps: readonly number[]
    readonly approveLast: boolean
    readonly writes: boolean
  }): Plan => {
    const sorted = [...plan.steps].sort((a, b) => a - b)
    return {
      ...{ ...PLAN, steps: sorted, calls: 50, minutes: 30 },
      approve: plan.approveLast ? sorted.slice(-1) : [],
      withoutVerdict: plan.writes ? 'it writes' : undefined,
    }
  }
  fc.assert(
    fc.property(plans, fc.array(event, { maxLength: 40 }), (given, events) => {
      const plan = approvable(given)
      const world = simulatedPlan('invoices', plan, at(0))
      let seconds = 0
      for (const each of events) {
        if (each.kind === 'passes') seconds += each.minutes * 60
        if (each.kind === 'order') {
          try {
            world.order(each.action, 'ada', 'because', at(seconds))
          } catch {
            // Refused: nothing may have changed, which is looked at below.
          }
        }
        if (each.kind === 'calls') {
          for (let call = 0; call < each.count; call++) {
            world.call(`client-${call % 40}`, at(seconds), {
              v1: (call * each.v1Fails) % 1 >= 1 - each.v1Fails,
              legacy: false,
            })
          }
        }
        world.decide(at(seconds))
      }
      for (const { event, basis, to } of world.audit) {
        const before = basis.position
        const percent = Number(/at (\d+) %/.exec(to)?.[1])
        const next = plan.steps.find((step) => step > before.percent)
        if (percent > before.percent) expect([event, percent]).toEqual(['advanced', next])
        if (event === 'advanced') {
          expect(['stopped', 'paused', 'done']).not.toContain(before.state)
          expect(basis.verdict).not.toBe('not ready')
          expect(before.approved === percent || !plan.approve.includes(percent)).toBe(true)
        }
        if (percent < before.percent) expect([percent, to]).toEqual([0, 'stopped at 0 %'])
      }
      const current = world.standing(at(seconds))
      if (current.position.percent > 0) expect(outlookOf(current).move?.event).not.toBe('braked')
    }),
    { numRuns: 150, seed: 21 },
  )
})
