import { describe, expect, it } from 'vitest'
import { countUsage, type UsedCall } from '../../../src/control-plane/usage/count-usage.ts'
import { NOTHING_SEEN, type UsageRow } from '../../../src/control-plane/usage/usage.ts'

const NOON = Date.parse('2026-11-23T12:00:00Z')
const call = (other: Partial<UsedCall> = {}): UsedCall => ({
  ...{
    at: NOON,
    operation: 'thing-list',
    client: 'shop',
    status: 200,
    code: undefined,
    answeredBy: 'v1',
    agent: 'curl/8',
  },
  ...other,
})

describe('a client’s calls of an operation', () => {
  it('are counted by day, outcome, side, status and code', () => {
    const counter = countUsage(['thing-list'])
    counter.count(call())
    counter.count(call({ at: NOON + 5, status: 406, code: 'NOT_THERE' }))
    counter.count(call({ at: NOON + 9, status: 503, answeredBy: undefined, agent: undefined }))
    counter.count(call({ at: NOON + 7, answeredBy: 'legacy', agent: 'php' }))
    counter.count(call({ status: 415, answeredBy: 'gateway' }))
    expect(counter.rows()).toEqual([
      {
        ...{ day: '2026-11-23', client: 'shop', operation: 'thing-list' },
        ...{ calls: 5, clientErrors: 2, serverErrors: 1, byV1: 2, byLegacy: 1 },
        ...{ firstAt: '2026-11-23T12:00:00.000Z', lastAt: '2026-11-23T12:00:00.009Z' },
        agents: ['curl/8', 'php'],
        seen: { ...NOTHING_SEEN, statuses: { 200: 2, '406 NOT_THERE': 1, 415: 1 } },
      },
    ])
  })

  it('begin a new row with the day of UTC, and each day is kept', () => {
    const counter = countUsage(['thing-list'])
    for (const at of ['2026-11-23T23:59:59.999Z', '2026-11-24T00:00:00Z', '2026-11-23T23:59:59Z']) {
      counter.count(call({ at: Date.parse(at) }))
    }
    expect(counter.rows().map(({ day, calls }) => [day, calls])).toEqual([
      ['2026-11-23', 1],
      ['2026-11-24', 1],
      // The clock was set back: both are stored under the same day.
      ['2026-11-23', 1],
    ])
  })

  it('of paths that no mapping has count under unknown', () => {
    const counter = countUsage(['thing-list'])
    for (const operation of [undefined, 'thing-list', 'not-mapped']) counter.count(call({ operation }))
    expect(counter.rows().map(({ operation, calls }) => [operation, calls])).toEqual([
      ['unknown', 2],
      ['thing-list', 1],
    ])
  })

  it('are taken once, and counted from zero after that, with what they showed', () => {
    const counter = countUsage(['thing-list', 'other-list'])
    counter.count(call())
    counter.count(call({ operation: 'other-list' }))
    expect(counter.take(1).map(({ operation, calls }) => [operation, calls])).toEqual([['thing-list', 1]])
    counter.count(call())
    counter.see(
      { at: NOON, client: 'shop', operation: 'thing-list' },
      { ...NOTHING_SEEN, calls: 1, members: { id: 1 } },
    )
    expect(counter.take(10).map(({ operation, calls, seen }) => [operation, calls, seen.members])).toEqual([
      ['other-list', 1, {}],
      ['thing-list', 1, { id: 1 }],
    ])
    expect(counter.rows()).toEqual([])
  })

  it('are in the rows that wait, until those are taken', () => {
    const counter = countUsage(['a', 'b', 'c'])
    const callsOf = (rows: readonly UsageRow[]) => rows.map(({ operation, calls }) => [operation, calls])
    for (const operation of ['a', 'b', 'b']) counter.count(call({ operation }))
    const rows = counter.rows()
    expect([callsOf(rows), counter.isEmpty()]).toEqual([
      [
        ['a', 1],
        ['b', 2],
      ],
      false,
    ])
    expect([counter.take(10), counter.isEmpty(), counter.rows()]).toEqual([rows, true, []])
    counter.count(call({ operation: 'b' }))
    expect(callsOf(rows)).toEqual([
      ['a', 1],
      ['b', 2],
    ])
  })

  it('keep five user agents, the latest first, and 20 statuses', () => {
    const counter = countUsage(['thing-list'])
    for (const n of [1, 2, 3, 4, 5, 6, 2]) counter.count(call({ agent: `agent ${n}` }))
    for (let n = 0; n < 100; n++) counter.count(call({ status: 406, code: `CODE_${n}`, agent: undefined }))
    const [row] = counter.rows()
    expect(row?.agents).toEqual(['agent 2', 'agent 6', 'agent 5', 'agent 4', 'agent 3'])
    const statuses = row?.seen.statuses ?? {}
    expect([Object.keys(statuses).length, statuses.other, statuses['200']]).toEqual([20, 82, 7])
  })
})

describe('memory', () => {
  it('is bounded for a hundred thousand invented clients: 10,000 per day are distinguished, and no call is lost', () => {
    const counter = countUsage(['thing-list'])
    let taken = 0
    const clients = new Set<string>()
    const takeAll = (): void => {
      for (const row of counter.take(1_000_000)) {
        taken += row.calls
        clients.add(row.client)
      }
    }
    for (let n = 0; n < 100_000; n++) {
      counter.count(call({ client: `client ${n}` }))
      if (n % 20_000 === 19_999) takeAll()
    }
    expect([taken, clients.size, clients.has('others')]).toEqual([100_000, 10_001, true])
    counter.count(call({ client: 'unidentified' }))
    counter.count(call({ client: 'client 17' }))
    expect(counter.rows().map(({ client }) => client)).toEqual(['unidentified', 'client 17'])
  })

  it('is bounded while nothing is taken: rows beyond 10,000 count under others', () => {
    const counter = countUsage(['a', 'b', 'c'])
    for (let n = 0; n < 5_000; n++)
      for (const operation of ['a', 'b', 'c']) counter.count(call({ client: `${n}`, operation }))
    const rows = counter.rows()
    expect(rows.length).toBe(10_003)
    expect(rows.reduce((sum, { calls }) => sum + calls, 0)).toBe(15_000)
    expect(rows.filter(({ client }) => client === 'others').length).toBe(3)
  })

  it('does not distinguish clients by names of more than 200 characters', () => {
    const counter = countUsage(['a'])
    counter.count(call({ client: 'x'.repeat(201), operation: 'a' }))
    expect(counter.rows()[0]?.client).toBe('others')
  })
})
