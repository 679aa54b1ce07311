import { describe, expect, it } from 'vitest'
import type { Rollout } from '../../../src/control-plane/rollout/rollout.ts'
import { rolloutDiff } from '../../../src/control-plane/rollout/rollout-diff.ts'
import { parseAbout } from '../../support/rollout-setting.ts'

const parse = (file: object): Rollout => parseAbout(['invoice-list', 'country-list'], JSON.stringify(file))
const changes = (before: object, after: object) => rolloutDiff(parse(before), parse(after))
const operations = (invoiceList: object, all: object = { serve: 'legacy' }) => ({
  operations: { '*': all, 'invoice-list': invoiceList },
})

describe('the change between two versions of the rollout file', () => {
  it('is said per operation and member', () => {
    const before = { steps: [1, 5, 100], window: { days: 'Mon-Thu', from: '09:00', to: '16:00', zone: 'UTC' } }
    const after = { steps: [1, 100], window: { days: 'Mon,Fri', from: '09:00', to: '17:00', zone: 'UTC' } }
    expect(changes(operations({ plan: before }), operations({ plan: after }))).toEqual([
      'invoice-list: plan.steps 1, 5, 100 -> 1, 100',
      'invoice-list: plan.window.days Mon-Thu -> Mon,Fri',
      'invoice-list: plan.window.to 16:00 -> 17:00',
    ])
    expect(changes(operations({ shadow: 1 }), operations({ clients: { shop: 'v1' } }, { serve: 'v1' }))).toEqual([
      '*: serve legacy -> v1',
      'invoice-list: shadow 1 -> not set',
      'invoice-list: clients.shop not set -> v1',
    ])
  })

  it('names rules that were added or removed, and members that apply to all', () => {
    const rule = { operation: '*', path: 'a', why: 'known' }
    const brownout = { operations: ['*'], from: '2027-05-03T09:00:00Z', to: '2027-05-03T10:00:00Z', percent: 10 }
    const after = { brownouts: [{ ...brownout, why: 'rehearsal' }], fresh: '2d', limits: { queue: 10 } }
    expect(changes({ ignore: [rule] }, after)).toEqual([
      `ignore: removed ${JSON.stringify(rule)}`,
      expect.stringMatching(/^brownouts: added \{"operations":\["\*"\],"from":"2027-05-03T09:00:00Z".*…$/),
      'limits.queue 256 -> 10',
      'fresh not set -> 48',
    ])
  })

  it('is empty if only the formatting differs', () => {
    const [a, b] = [{ shadow: 1 }, { serve: 'legacy' }]
    expect(
      changes({ operations: { '*': b, 'invoice-list': a } }, { operations: { 'invoice-list': a, '*': b } }),
    ).toEqual([])
  })

  it('is bounded', () => {
    const clients = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`${n}-${'x'.repeat(1_000)}`, 'v1']))
    const lines = changes({}, operations({ clients }))
    expect(lines).toHaveLength(51)
    expect(lines.at(-1)).toBe('and 951 more')
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(200)
  })
})
