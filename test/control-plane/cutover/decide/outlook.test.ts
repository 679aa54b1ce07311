import { describe, expect, it } from 'vitest'
import { outlookOf } from '../../../../src/control-plane/cutover/decide/outlook.ts'
import { at, minutesAgo, PLAN, proven, side, standing } from '../support/standing.ts'

const OFFICE = { days: [1, 2, 3, 4], from: '09:00', to: '16:00', zone: 'Europe/Istanbul' }

describe('a plan waits', () => {
  it.each([
    [
      'for calls and minutes',
      { v1: side(188), position: at(5, { since: minutesAgo(46) }) },
      'waits for 312 more calls and 14 minutes',
    ],
    ['for the last call', { v1: side(499), position: at(5, { since: minutesAgo(60) }) }, 'waits for 1 more call'],
    ['for the rest of a minute', { v1: side(500), position: at(5, { since: minutesAgo(59.5) }) }, 'waits for 1 minute'],
    ['for hours', { v1: side(500), plan: { minutes: 1_440 } }, 'waits for 24 hours'],
    [
      'for the verdict',
      { ...proven(), verdict: 'insufficient data' as const },
      'waits for the verdict (insufficient data)',
    ],
    [
      'for the window',
      { ...proven(), plan: { window: OFFICE }, now: new Date('2027-03-11T13:00Z') },
      'waits for the window: Monday 09:00 Europe/Istanbul',
    ],
    [
      'for what all gateways have found',
      { ...proven(), isFresh: false },
      'waits until the results of all gateways have been read from STATE_DB',
    ],
    [
      'for all at once',
      {
        ...{ position: at(50), v1: side(8), verdict: 'insufficient data' as const },
        ...{ plan: { calls: 2_000, window: { ...OFFICE, from: '16:00', to: '17:00' } } },
      },
      'waits for 1,992 more calls, 60 minutes, the verdict (insufficient data) and the window: Wednesday 16:00 Europe/Istanbul; needs an approval for 100 %',
    ],
  ])('%s', (_, given, why) => {
    expect(outlookOf(standing(given))).toMatchObject({ why, move: undefined })
  })

  it('for what all gateways have found, but the brake does not', () => {
    expect(outlookOf(standing({ isFresh: false, v1: side(20, 20), legacy: side(380) })).move).toMatchObject({
      event: 'braked',
    })
  })

  it('for calls, however much time has passed', () => {
    const year = 365 * 24 * 60
    expect(outlookOf(standing({ position: at(5, { since: minutesAgo(year) }), v1: side(499) })).move).toBeUndefined()
  })

  it('before its first step for the verdict, the window and an approval, but neither for calls nor for minutes', () => {
    const before = standing({
      position: at(0),
      verdict: 'insufficient data',
      plan: { approve: [1], window: { ...OFFICE, days: [5] } },
    })
    expect(outlookOf(before)).toEqual({
      why: 'waits for the verdict (insufficient data) and the window: Friday 09:00 Europe/Istanbul; needs an approval for 1 %',
      next: 1,
      move: undefined,
    })
  })

  it('before its first step while the verdict is not ready, even if it may do without', () => {
    const before = standing({ position: at(0), verdict: 'not ready', plan: { withoutVerdict: 'a write' } })
    expect(outlookOf(before)).toMatchObject({ why: 'waits for the verdict (not ready)', move: undefined })
  })
})

describe('a plan advances', () => {
  it('by one step, when it has all, and says on what evidence', () => {
    expect(outlookOf(proven()).move).toEqual({
      event: 'advanced',
      to: { state: 'running', percent: 25, step: 3, approved: null },
      isNewStage: true,
      why: 'v1 failed 1 of 512 calls in 75 minutes; the verdict is ready',
    })
  })

  it('to its first step as soon as the verdict is ready', () => {
    expect(outlookOf(standing({ position: at(0) })).move).toMatchObject({
      event: 'advanced',
      to: { percent: 1, step: 1 },
      why: 'the verdict is ready',
    })
  })

  it('without a verdict, if it says why', () => {
    const write = proven({ verdict: 'insufficient data', plan: { withoutVerdict: 'it writes' } })
    expect(outlookOf(write).move).toMatchObject({
      to: { percent: 25 },
      why: 'v1 failed 1 of 512 calls in 75 minutes; no verdict is needed (it writes)',
    })
  })

  it('within its window only', () => {
    const given = { plan: { window: OFFICE } }
    expect(outlookOf(proven({ ...given, now: new Date('2027-03-15T05:59Z') })).move).toBeUndefined()
    expect(outlookOf(proven({ ...given, now: new Date('2027-03-15T06:00Z') })).move).toMatchObject({
      to: { percent: 25 },
    })
  })
})

describe('an approval', () => {
  const last = { position: at(50, { since: minutesAgo(75) }) }

  it('is asked for once, when nothing else is missing', () => {
    const asked = outlookOf(proven(last))
    expect(asked.move).toEqual({
      event: 'approval-wanted',
      to: { state: 'awaiting approval', percent: 50, step: 4, approved: null },
      isNewStage: false,
      why: 'needs an approval for 100 %',
    })
    const position = { ...last.position, ...asked.move?.to, why: asked.move?.why ?? '' }
    expect(outlookOf(proven({ position }))).toMatchObject({ why: 'needs an approval for 100 %', move: undefined })
    expect(outlookOf(proven({ position: { ...position, approved: 100 } })).move).toMatchObject({
      event: 'advanced',
      to: { percent: 100, approved: null },
    })
  })

  it('of a step that the file has taken out is not one of the step that is next now', () => {
    const position = at(25, { since: minutesAgo(75), approved: 50 })
    expect(outlookOf(proven({ position, plan: { approve: [50, 100] } })).move).toMatchObject({ to: { percent: 50 } })
    const without50 = proven({ position, plan: { steps: [1, 5, 25, 100] } })
    expect(outlookOf(without50).move).toMatchObject({
      event: 'approval-wanted',
      to: { state: 'awaiting approval', percent: 25 },
      why: 'needs an approval for 100 %',
    })
  })

  it('is not asked for while something else is missing', () => {
    const given = { ...last, verdict: 'insufficient data' as const }
    expect(outlookOf(proven(given))).toMatchObject({
      why: 'waits for the verdict (insufficient data); needs an approval for 100 %',
      move: undefined,
    })
  })

  it('is asked for before the first step too, which keeps 0 %', () => {
    expect(outlookOf(standing({ position: at(0), plan: { approve: [1] } })).move).toMatchObject({
      event: 'approval-wanted',
      to: { state: 'awaiting approval', percent: 0, step: 0 },
    })
  })
})

describe('at its last step a plan', () => {
  const position = at(100, { since: minutesAgo(75) })

  it('is done when that step has lasted like the others', () => {
    expect(outlookOf(standing({ position, v1: side(499) }))).toEqual({
      ...{ why: 'waits for 1 more call before it is done', next: null, move: undefined },
    })
    expect(outlookOf(proven({ position })).move).toMatchObject({
      event: 'done',
      to: { state: 'done', percent: 100, step: 5 },
      isNewStage: false,
    })
  })

  it('says that it is done, and the brake still works', () => {
    const done = { ...position, state: 'done' as const }
    expect(outlookOf(proven({ position: done }))).toEqual({
      ...{ why: 'done: v1 answers 100 % of the clients', next: null, move: undefined },
    })
    expect(outlookOf(standing({ position: done, v1: side(20, 20) })).move).toMatchObject({
      event: 'braked',
      to: { percent: 0 },
    })
  })
})

describe('when the file changes the steps of a plan', () => {
  it.each([
    ['between two steps, it keeps its percentage and goes on with the first step above', 5, [2, 10, 20], 10, 2],
    ['a step below is no way back', 25, [30, 100], 30, 1],
  ])('%s', (_, percent, steps, next, step) => {
    const changed = proven({ position: at(percent, { since: minutesAgo(75) }), plan: { steps, approve: [] } })
    expect(outlookOf(changed)).toMatchObject({ next, move: { event: 'advanced', to: { percent: next, step } } })
  })

  it('a plan that was made shorter stays at its percentage and is done there', () => {
    expect(
      outlookOf(proven({ position: at(25, { since: minutesAgo(75) }), plan: { steps: [1, 5] } })).move,
    ).toMatchObject({
      event: 'done',
      to: { state: 'done', percent: 25 },
    })
  })

  it('a plan that was done and made longer runs again, with a word in the audit', () => {
    const done = at(50, { state: 'done', since: minutesAgo(10_000) })
    expect(outlookOf(proven({ position: done })).move).toEqual({
      event: 'resumed',
      to: { state: 'running', percent: 50, step: 4, approved: null },
      isNewStage: false,
      why: 'the plan now continues to 100 %',
    })
    expect(outlookOf(proven({ position: done, plan: { steps: [1, 5] } })).move).toBeUndefined()
  })
})

describe('what a person decided stays', () => {
  it('paused, whatever the evidence', () => {
    const position = at(5, { state: 'paused', since: minutesAgo(75), by: 'ada', why: 'month end' })
    expect(outlookOf(proven({ position }))).toEqual({ why: 'paused by ada: month end', next: 25, move: undefined })
  })

  it.each([
    ['auto', 'stopped by the brake: v1 failed'],
    ['ada', 'stopped by ada: v1 failed'],
  ])('stopped by %s', (by, why) => {
    const position = at(0, { state: 'stopped', by, why: 'v1 failed' })
    expect(outlookOf(standing({ position }))).toEqual({ why, next: PLAN.steps[0], move: undefined })
  })
})

it.each(['running', 'awaiting approval', 'paused', 'done'] as const)('the brake trips when it is %s', (state) => {
  expect(outlookOf(proven({ position: at(5, { state }), v1: side(20, 20), legacy: side(380) }))).toEqual({
    why: 'v1 failed 20 of 20 calls at this step; the legacy service 0 of 380',
    next: 25,
    move: {
      event: 'braked',
      to: { state: 'stopped', percent: 0, step: 0, approved: null },
      isNewStage: true,
      why: 'v1 failed 20 of 20 calls at this step; the legacy service 0 of 380',
    },
  })
})
