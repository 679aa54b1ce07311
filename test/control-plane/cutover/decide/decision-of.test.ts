import { expect, it } from 'vitest'
import { countsOf, decisionOf } from '../../../../src/control-plane/cutover/audit.ts'
import { outlookOf } from '../../../../src/control-plane/cutover/decide/outlook.ts'
import { reportOf } from '../../../../src/control-plane/cutover/decide/plan-report.ts'
import { at, minutesAgo, proven, side, standing } from '../support/standing.ts'

const LINEAGE = { mapping: 'a1b2c3d4e5f6', v1: '1.4.0', legacy: null }

function decide(given = proven()) {
  const { move } = outlookOf(given)
  if (move === undefined) throw new Error('nothing is decided')
  return decisionOf(given.position, move, 'auto', 'id-1', { lineage: LINEAGE, counts: countsOf(given) })
}

it('a decision is a new position, an entry and a message, all in the same words', () => {
  const why = 'v1 failed 1 of 512 calls in 75 minutes; the verdict is ready'
  const [from, to] = ['running at 5 %', 'running at 25 %']
  expect(decide()).toEqual({
    position: {
      ...{ operation: 'invoices', version: 8, state: 'running', percent: 25, step: 3, stage: 8, approved: null },
      ...{ by: 'auto', why },
    },
    isNewStage: true,
    entry: {
      ...{ id: 'id-1', event: 'advanced', operation: 'invoices', by: 'auto', from, to, why },
      lineage: '{"mapping":"a1b2c3d4e5f6","v1":"1.4.0","legacy":null}',
      counts: '{"calls":512,"failures":1,"legacyCalls":10000,"legacyFailures":0}',
    },
    message: {
      ...{ id: 'id-1', event: 'advanced', operation: 'invoices', from, to, why },
      text: `invoices: advanced, from running at 5 % to running at 25 % (auto): ${why}`,
    },
  })
})

it('the same step goes on counting', () => {
  const given = proven({ position: at(50, { since: minutesAgo(75) }) })
  expect(decide(given)).toMatchObject({
    position: { version: 8, stage: 6, state: 'awaiting approval', percent: 50 },
    isNewStage: false,
  })
})

it('a report says where a plan stands, what it waits for, and when the brake trips', () => {
  const position = at(5, { since: minutesAgo(46) })
  expect(reportOf(standing({ position, v1: side(188, 2) }))).toEqual({
    ...{ operation: 'invoices', state: 'running', percent: 5, step: 2, steps: [1, 5, 25, 50, 100] },
    ...{ since: minutesAgo(46), version: 7, calls: 188, next: 25, why: 'waits for 312 more calls and 14 minutes' },
    ...{ run: null, seed: null },
    brake: { failures: 2, calls: 188, limit: 13 },
  })
})
