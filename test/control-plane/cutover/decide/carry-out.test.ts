import { describe, expect, it } from 'vitest'
import type { Action } from '../../../../src/control-plane/cutover/decide/order.ts'
import { carryOut } from '../../../../src/control-plane/cutover/decide/order.ts'
import type { Standing } from '../../../../src/control-plane/cutover/position.ts'
import { at, minutesAgo, side, standing } from '../support/standing.ts'

const order = (action: Action, given: Standing) =>
  carryOut({ operation: 'invoices', action, by: 'ada', why: 'because' }, given)

const CLOSED = { days: [7], from: '03:00', to: '03:01', zone: 'UTC' }

describe('advance', () => {
  it('skips calls, minutes, the window and a verdict that is missing', () => {
    const given = standing({ verdict: 'insufficient data', plan: { window: CLOSED } })
    expect(order('advance', given)).toEqual({
      event: 'advanced',
      to: { state: 'running', percent: 25, step: 3, approved: null },
      isNewStage: true,
      why: 'because',
    })
  })

  it.each([
    [
      'stopped',
      { position: at(0, { state: 'stopped' }) },
      'it is stopped: resume it first, which starts over at 0 %, then advance',
    ],
    ['paused', { position: at(5, { state: 'paused' }) }, 'it is paused at 5 %: resume it first, then advance'],
    ['at the last step', { position: at(100) }, '100 % is the last step: there is nothing to advance to'],
    ['without an approval', { position: at(50) }, '100 % needs an approval: approve it first'],
    [
      'about to be braked',
      { v1: side(30, 25), legacy: side(380) },
      'the brake is about to trip: v1 failed 25 of 30 calls at this step; the legacy service 0 of 380',
    ],
    [
      'not ready',
      { position: at(0), verdict: 'not ready' },
      'the verdict is not ready: see which differences count; ignore them, or fix them and reset the evidence',
    ],
  ] as const)('is refused when %s', (_, given, refused) => {
    expect(order('advance', standing(given))).toEqual({ refused })
  })

  it('takes the step that was approved', () => {
    expect(order('advance', standing({ position: at(50, { approved: 100 }) }))).toMatchObject({
      to: { percent: 100 },
    })
  })

  it('does not take a step on the approval of another', () => {
    const given = standing({ position: at(25, { approved: 50 }), plan: { steps: [1, 5, 25, 100] } })
    expect(order('advance', given)).toEqual({ refused: '100 % needs an approval: approve it first' })
    expect(order('approve', given)).toMatchObject({ event: 'approved', to: { percent: 25, approved: 100 } })
  })
})

describe('approve', () => {
  it.each([
    [50, 'running', 'running'],
    [50, 'awaiting approval', 'running'],
  ] as const)('approves the next step at %i %%, %s', (percent, state, after) => {
    expect(order('approve', standing({ position: at(percent, { state }) }))).toEqual({
      event: 'approved',
      to: { state: after, percent, step: 4, approved: 100 },
      isNewStage: false,
      why: 'because',
    })
  })

  it('approves the first step while it waits', () => {
    const given = standing({ position: at(0, { state: 'awaiting approval' }), plan: { approve: [1] } })
    expect(order('approve', given)).toMatchObject({ to: { state: 'waiting', percent: 0, approved: 1 } })
  })

  it.each([
    ['it needs none', {}, '25 %, the next step, needs no approval; these do: 100 %'],
    ['no step does', { plan: { approve: [] } }, '25 %, the next step, needs no approval; no step does'],
    ['it has one', { position: at(50, { approved: 100 }) }, '100 % is already approved'],
    [
      'there is no next step',
      { position: at(100, { state: 'done' }) },
      '100 % is the last step: there is nothing to approve',
    ],
    ['it is paused', { position: at(50, { state: 'paused' }) }, 'it is paused at 50 %: resume it first, then approve'],
    [
      'it is stopped',
      { position: at(0, { state: 'stopped' }), plan: { approve: [1] } },
      'it is stopped: resume it first, which starts over at 0 %, then approve',
    ],
  ] as const)('is refused when %s', (_, given, refused) => {
    expect(order('approve', standing(given))).toEqual({ refused })
  })
})

describe('pause', () => {
  it('keeps the percentage, and resume goes on from there', () => {
    const position = at(25, { since: minutesAgo(30) })
    const paused = order('pause', standing({ position }))
    expect(paused).toMatchObject({ event: 'paused', to: { state: 'paused', percent: 25, step: 3 }, isNewStage: false })
    const resumed = order('resume', standing({ position: { ...position, state: 'paused' } }))
    expect(resumed).toMatchObject({ event: 'resumed', to: { state: 'running', percent: 25 }, isNewStage: false })
  })

  it('holds a plan before its first step', () => {
    expect(order('pause', standing({ position: at(0) }))).toMatchObject({ to: { state: 'paused', percent: 0 } })
    expect(order('resume', standing({ position: at(0, { state: 'paused' }) }))).toMatchObject({
      to: { state: 'waiting' },
    })
  })

  it.each([
    ['paused', 'it is already paused: resume it to continue'],
    ['stopped', 'it is stopped at 0 %: it does not continue until someone resumes it'],
    ['done', 'it is done: there is nothing to pause; stop takes it back to 0 %'],
  ] as const)('is refused when %s', (state, refused) => {
    expect(order('pause', standing({ position: at(5, { state }) }))).toEqual({ refused })
  })
})

describe('stop and resume', () => {
  it.each(['waiting', 'running', 'awaiting approval', 'paused', 'done'] as const)(
    'stop takes what is %s to 0 %%',
    (state) => {
      expect(order('stop', standing({ position: at(state === 'waiting' ? 0 : 100, { state, approved: 50 }) }))).toEqual(
        {
          event: 'stopped',
          to: { state: 'stopped', percent: 0, step: 0, approved: null },
          isNewStage: true,
          why: 'because',
        },
      )
    },
  )

  it('resume starts over at 0 %, and counts from zero', () => {
    expect(order('resume', standing({ position: at(0, { state: 'stopped' }) }))).toEqual({
      event: 'resumed',
      to: { state: 'waiting', percent: 0, step: 0, approved: null },
      isNewStage: true,
      why: 'because',
    })
  })

  it('are refused when there is nothing to stop or to resume', () => {
    const stopped = standing({ position: at(0, { state: 'stopped' }) })
    expect(order('stop', stopped)).toEqual({ refused: 'it is already stopped: v1 answers 0 %' })
    expect(order('resume', standing())).toEqual({
      refused: 'it is running: only a paused or stopped plan can be resumed',
    })
  })
})
