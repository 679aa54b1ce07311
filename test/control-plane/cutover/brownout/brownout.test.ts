import { describe, expect, it } from 'vitest'
import { brownoutsOf, stateOf } from '../../../../src/control-plane/cutover/brownout/brownout.ts'
import { lowerBoundOf } from '../../../../src/control-plane/evidence/tally/proven-share.ts'
import type { BrownoutRule } from '../../../../src/control-plane/rollout/brownout-rule.ts'
import { brownoutOf, chooseSide, mayHit } from '../../../../src/planes/decisions.ts'
import { BEGINS, brownoutRule, ENDS } from '../../../support/brownout-rule.ts'
import { parseAbout } from '../../../support/rollout-setting.ts'
import { seededRandom } from '../../../support/seeded-random.ts'

const CALL = { operation: 'price', client: 'shop', now: BEGINS, place: () => 0 }
const refused = (rules: readonly BrownoutRule[], call: Partial<typeof CALL> = {}, endedAt: number | null = null) =>
  brownoutOf(brownoutsOf(rules, endedAt), { ...CALL, ...call })?.n
const clients = Array.from({ length: 10_000 }, (_, number) => `client-${number}`)

describe('a brownout', () => {
  it('begins and ends on time', () => {
    const rules = [brownoutRule()]
    expect([BEGINS - 1, BEGINS, ENDS - 1, ENDS].map((now) => refused(rules, { now }))).toEqual([
      ...[undefined, 1, 1, undefined],
    ])
  })

  it('is of the operations that it names, or of all', () => {
    const one = [brownoutRule({ operations: ['price', 'auth'] })]
    expect(['price', 'auth', 'document'].map((operation) => refused(one, { operation }))).toEqual([1, 1, undefined])
    expect(refused([brownoutRule()], { operation: 'whatever' })).toBe(1)
  })

  it('never refuses a client that it excepts, and the next one in the file may', () => {
    const rules = [brownoutRule({ except: ['shop'] }), brownoutRule({ except: ['other'] })]
    expect([refused(rules), refused(rules, { client: 'other' })]).toEqual([2, 1])
  })

  it('is over once someone has ended it; one that begins later is not', () => {
    const rules = [brownoutRule(), brownoutRule({ from: '2027-05-03T06:30:00Z' })]
    const at = (now: number) => refused(rules, { now }, BEGINS + 60_000)
    expect([at(BEGINS + 59_999), at(BEGINS + 60_000), at(BEGINS + 1_800_000)]).toEqual([1, undefined, 2])
  })

  it('that was over already stays over', () => {
    const [brownout] = brownoutsOf([brownoutRule()], ENDS + 1)
    expect(brownout?.until).toBe(ENDS)
    expect(brownout && stateOf(brownout, ENDS + 2)).toBe('over')
  })

  it('says where it stands', () => {
    const states = (endedAt: number | null) =>
      brownoutsOf([brownoutRule()], endedAt).flatMap((one) =>
        [BEGINS - 1, BEGINS, BEGINS + 1_000, ENDS].map((now) => stateOf(one, now)),
      )
    expect(states(null)).toEqual(['to come', 'under way', 'under way', 'over'])
    expect(states(BEGINS + 1_000)).toEqual(['to come', 'under way', 'ended', 'ended'])
  })
})

describe('a brownout of calls', () => {
  it.each([1, 10, 50])('refuses %d percent of them, within exact bounds', (percent) => {
    const random = seededRandom(percent)
    const rules = [brownoutRule({ percent })]
    const hits = clients.filter(() => refused(rules, { place: () => random() * 100 }) === 1).length
    expect(lowerBoundOf(hits, clients.length, 0.9995)).toBeLessThan(percent / 100)
    expect(lowerBoundOf(clients.length - hits, clients.length, 0.9995)).toBeLessThan(1 - percent / 100)
  })

  it('draws no lot where nothing can be refused', () => {
    const place = () => expect.unreachable()
    expect(refused([brownoutRule({ percent: 10 })], { now: BEGINS - 1, place })).toBe(undefined)
    expect(refused([brownoutRule({ percent: 10, operations: ['other'] })], { place })).toBe(undefined)
    expect(refused([brownoutRule({ percent: 10, except: ['shop'] })], { place })).toBe(undefined)
  })
})

describe('a brownout of clients', () => {
  const rule = brownoutRule({ percent: 10, of: 'clients' })
  const hit = (by: BrownoutRule): ReadonlySet<string> =>
    new Set(clients.filter((client) => refused([by], { client, place: () => expect.unreachable() }) === 1))

  it('refuses all calls of that share of them, and none of the others', () => {
    const some = hit(rule)
    expect(hit(rule)).toEqual(some)
    expect(lowerBoundOf(some.size, clients.length, 0.9995)).toBeLessThan(0.1)
    expect(lowerBoundOf(clients.length - some.size, clients.length, 0.9995)).toBeLessThan(0.9)
    expect(clients.filter((client) => mayHit(rule, client))).toEqual([...some])
  })

  it('refuses more when its percentage is raised, and never spares whom it refused', () => {
    const more = hit({ ...rule, percent: 20 })
    expect([...hit(rule)].filter((client) => !more.has(client))).toEqual([])
  })

  it.each([
    ['the next one', { from: '2027-05-03T08:59:00+03:00' }],
    ['one of other operations', { operations: ['price'] }],
  ])('is of other clients than %s: no more are hit by both than chance would', (_, other) => {
    const others = hit({ ...rule, ...other })
    const both = [...hit(rule)].filter((client) => others.has(client)).length
    expect(lowerBoundOf(both, clients.length, 0.9995)).toBeLessThan(0.01)
    expect(lowerBoundOf(clients.length - both, clients.length, 0.9995)).toBeLessThan(0.99)
  })

  it('has nothing to do with who is on v1', () => {
    const rollout = { ...parseAbout(['price'], '{}').of('price'), serve: 'legacy', v1Percent: 10 } as const
    const both = [...hit(rule)].filter((client) => chooseSide(rollout, () => client) === 'v1').length
    expect(lowerBoundOf(both, clients.length, 0.9995)).toBeLessThan(0.01)
    expect(lowerBoundOf(clients.length - both, clients.length, 0.9995)).toBeLessThan(0.99)
  })
})
