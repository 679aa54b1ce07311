import { describe, expect, it } from 'vitest'
import type { NewEntry } from '../../../../src/control-plane/cutover/audit.ts'
import type { UsageRow } from '../../../../src/control-plane/cutover/brownout/client-calls.ts'
import {
  type BrownoutEnds,
  type CurrentBrownouts,
  currentBrownouts,
} from '../../../../src/control-plane/cutover/brownout/current-brownouts.ts'
import type { BrownoutRule } from '../../../../src/control-plane/rollout/brownout-rule.ts'
import { knownBrownouts } from '../../../../src/control-plane/usage/brownouts/stored-brownouts.ts'
import { countUsage } from '../../../../src/control-plane/usage/count-usage.ts'
import { keepUsage } from '../../../../src/control-plane/usage/keep-usage.ts'
import { brownoutOf } from '../../../../src/planes/decisions.ts'
import { BEGINS, brownoutRule, ENDS } from '../../../support/brownout-rule.ts'
import { memoryUsageStore } from '../../usage/support/memory-usage-store.ts'

const NOTHING = { before: 0, refused: 0, since: 0 }
const DAY_MS = 86_400_000

/** Returns the brownout that refuses a call, as the data plane is told. */
const brownoutNow = (current: CurrentBrownouts, operation: string | undefined, client: string, now: number) =>
  now < current.from || operation === undefined
    ? undefined
    : brownoutOf(current.all, { operation, client, now, place: () => 0 })

/** Brownouts at a time that the test sets, with the calls that it says: a day before, and as it makes them. */
function brownouts(rules: readonly BrownoutRule[], usage: readonly UsageRow[] = [], ends?: BrownoutEnds) {
  const world = { now: BEGINS - 1_000, rules, notStored: [] as unknown[] }
  const counter = countUsage(['price', 'auth'])
  const store = memoryUsageStore()
  const keeper = keepUsage({ counter, store, onUsedAgain: () => undefined, log: { error: () => undefined } })
  const used = (client: string, operation: string | undefined, at: number): void =>
    counter.count({ at, client, operation, status: 200, code: undefined, answeredBy: 'v1', agent: undefined })
  for (const { client, operation, calls } of usage) {
    for (let n = 0; n < calls; n++) used(client, operation, BEGINS - DAY_MS)
  }
  const current = currentBrownouts({
    rules: () => world.rules,
    ends,
    usage: () => ({ since: BEGINS - 5_000, rows: usage }),
    // Anew each time: what is read is shared for a second.
    counted: (begun) => knownBrownouts({ store, keeper })(begun),
    mark: (call, key, mark) => counter.mark({ ...call, at: world.now }, key, mark),
    notClients: ['others', 'unidentified'],
    onNotStored: (error) => world.notStored.push(error),
    now: () => world.now,
  })
  /** A call of `price`, from its arrival to its answer. */
  const call = (client: string, operation: string | undefined = 'price'): void => {
    const at = world.now
    const brownout = brownoutNow(current, operation, client, at)
    current.count({ operation, client, brownout: brownout?.n, at })
    used(client, operation, at)
  }
  /** A call of a path that no operation has. */
  const callUnknown = (client: string): void => {
    current.count({ operation: undefined, client, brownout: undefined, at: world.now })
    used(client, undefined, world.now)
  }
  const reported = async () => (await current.report()).brownouts
  return { world, current, call, callUnknown, reported, keep: keeper.keep, store }
}

describe('of a brownout to come', () => {
  it('those may be hit who have called its operations, unless it spares them', async () => {
    const { current } = brownouts(
      [brownoutRule({ operations: ['price'], except: ['spared'] })],
      [
        { operation: 'price', client: 'shop', calls: 3 },
        { operation: 'price', client: 'spared', calls: 5 },
        { operation: 'auth', client: 'elsewhere', calls: 7 },
        { operation: 'price', client: 'unidentified', calls: 11 },
      ],
    )
    expect(await current.report()).toMatchObject({
      since: new Date(BEGINS - 5_000).toISOString(),
      endedAt: null,
      brownouts: [
        {
          ...{ n: 1, state: 'to come', operations: ['price'], percent: 100, until: '2027-05-03T07:00:00.000Z' },
          clients: [{ client: 'shop', ...NOTHING, before: 3 }],
          others: { ...NOTHING, before: 11 },
        },
      ],
    })
  })

  it('of clients, lists exactly those that it has chosen', async () => {
    const usage = Array.from({ length: 200 }, (_, n) => ({ operation: 'price', client: `client-${n}`, calls: 1 }))
    const { world, current, reported } = brownouts([brownoutRule({ of: 'clients', percent: 20 })], usage)
    const told = (await reported())[0]?.clients.map(({ client }) => client) ?? []
    world.now = BEGINS
    const hit = usage.flatMap(({ client }) =>
      brownoutNow(current, 'price', client, BEGINS) === undefined ? [] : [client],
    )
    expect(hit.length).toBeGreaterThan(10)
    expect([...told].sort()).toEqual([...hit].sort())
  })
})

describe('of a past brownout', () => {
  const TWO = [
    { operation: 'price', client: 'quiet', calls: 4 },
    { operation: 'price', client: 'stubborn', calls: 2 },
    { operation: 'auth', client: 'quiet', calls: 9 },
  ]

  it('says who called before, who was hit, and who has called since', async () => {
    const rule = brownoutRule({ operations: ['price'], except: ['spared'] })
    const { world, call, callUnknown, reported } = brownouts([rule], TWO)
    world.now = BEGINS
    for (const client of ['stubborn', 'stubborn', 'new', 'spared']) call(client)
    expect((await reported())[0]).toMatchObject({ state: 'under way' })
    world.now = ENDS
    for (const client of ['stubborn', 'spared', 'spared', 'unidentified']) call(client)
    call('elsewhere', 'auth')
    callUnknown('lost')
    expect((await reported())[0]).toMatchObject({
      state: 'over',
      clients: [
        { client: 'spared', before: 0, refused: 0, since: 2 },
        { client: 'stubborn', before: 2, refused: 2, since: 1 },
        { client: 'new', before: 0, refused: 1, since: 0 },
        { client: 'quiet', before: 4, refused: 0, since: 0 },
      ],
      others: { ...NOTHING, since: 1 },
    })
  })

  it('of all operations does not count paths that belong to none', async () => {
    const { world, call, callUnknown, reported } = brownouts([brownoutRule()])
    callUnknown('lost')
    call('shop')
    world.now = BEGINS
    await reported()
    call('shop', 'auth')
    world.now = ENDS + 3 * DAY_MS
    callUnknown('lost')
    expect((await reported())[0]?.clients).toEqual([{ client: 'shop', before: 1, refused: 1, since: 0 }])
  })

  it('counts as before what came in the 30 days that end when it begins, and as since what came after its end', async () => {
    const { world, call, reported } = brownouts([brownoutRule({ percent: 100, except: ['spared'] })])
    const day = Math.floor(BEGINS / DAY_MS) * DAY_MS
    for (const at of [day - 29 * DAY_MS - 1, day - 29 * DAY_MS, day - 1, BEGINS - 1, BEGINS, ENDS - 1, ENDS]) {
      world.now = at
      call('spared')
    }
    for (const days of [1, 2, 40]) {
      world.now = day + days * DAY_MS
      call('spared')
      expect((await reported())[0]?.clients[0]).toMatchObject({ before: 3, refused: 0 })
    }
    expect((await reported())[0]?.clients).toEqual([{ client: 'spared', before: 3, refused: 0, since: 4 }])
  })

  it('shows the same when its calls are stored as while they are counted', async () => {
    const { world, call, reported, keep } = brownouts([brownoutRule()], TWO)
    const shown: unknown[] = []
    for (const at of [BEGINS, ENDS, ENDS + 5 * DAY_MS]) {
      world.now = at
      call('stubborn')
      shown.push(await reported())
      await keep()
      expect(await reported()).toEqual(shown.at(-1))
    }
    expect(shown.at(-1)).toMatchObject([
      {
        clients: [
          { client: 'stubborn', before: 2, refused: 1, since: 2 },
          { client: 'quiet', before: 13, refused: 0, since: 0 },
        ],
      },
    ])
  })

  it('lists 1,000 clients at most, those with the most calls since, and adds up all others', async () => {
    const { world, call, reported, keep } = brownouts([brownoutRule()])
    world.now = BEGINS
    for (let n = 0; n < 1_200; n++) call(`client-${n}`)
    await keep()
    world.now = ENDS
    call('client-1199')
    call('another')
    const [report] = await reported()
    expect([report?.clients.length, report?.others]).toEqual([1_000, { ...NOTHING, refused: 200, since: 1 }])
  })

  it('its calls stay when the rollout file changes but its beginning and operations do not', async () => {
    const { world, current, call, reported } = brownouts([brownoutRule()])
    world.now = BEGINS
    call('shop')
    world.rules = [
      brownoutRule({ from: '2027-05-03T12:00:00Z', to: '2027-05-03T13:00:00Z' }),
      brownoutRule({ from: '2027-05-03T06:00:00Z', to: '2027-05-03T06:20:00Z' }),
    ]
    current.refresh()
    call('shop')
    world.now = ENDS
    call('shop')
    expect((await reported()).map(({ n, state, clients }) => [n, state, clients])).toEqual([
      [1, 'to come', []],
      [2, 'over', [{ client: 'shop', before: 0, refused: 2, since: 1 }]],
    ])
  })

  it('is counted and shown among the 50 latest that have begun', async () => {
    const minute = (n: number) => new Date(BEGINS + n * 60_000).toISOString()
    const rules = Array.from({ length: 55 }, (_, n) => brownoutRule({ from: minute(n), to: minute(n + 0.5) }))
    const { world, current, call, reported, store, keep } = brownouts(rules)
    world.now = BEGINS + 55 * 60_000
    current.refresh()
    call('shop')
    const shown = await reported()
    expect(shown.map(({ clients }) => clients.length)).toEqual([...Array(5).fill(0), ...Array(50).fill(1)])
    await keep()
    expect(Object.keys(store.given[0]?.rows[0]?.brownouts ?? {})).toHaveLength(50)
  })
})

describe('an end of all brownouts', () => {
  const ORDER = { by: 'Ada', why: 'a client cannot wait' }
  const later = brownoutRule({ from: '2027-05-03T06:40:00Z' })

  it('is in effect at once, for those that have begun, and is kept with its entry', async () => {
    const entries: NewEntry[] = []
    const ends: BrownoutEnds = {
      endedAt: () => null,
      end: async (entry) => entries.push(entry) > 0,
    }
    const { world, current } = brownouts([brownoutRule(), later], [], ends)
    world.now = BEGINS + 1_000
    expect(brownoutNow(current, 'price', 'shop', world.now)?.n).toBe(1)
    const at = new Date(world.now).toISOString()
    const ending = current.end(ORDER)
    expect(brownoutNow(current, 'price', 'shop', world.now)).toBe(undefined)
    expect(await ending).toEqual({ ...ORDER, at, ended: [1], kept: true })
    expect(entries).toEqual([
      {
        ...{ id: expect.any(String), event: 'brownouts-ended', operation: '*', ...ORDER, lineage: '{}' },
        ...{ from: 'under way: 1', to: 'ended', counts: '{"ended":1}' },
      },
    ])
    expect(await current.report()).toMatchObject({
      endedAt: at,
      brownouts: [{ state: 'ended', until: at }, { state: 'to come' }],
    })
    world.now = Date.parse(later.from)
    expect(brownoutNow(current, 'price', 'shop', world.now)?.n).toBe(2)
  })

  it('is in effect here though it cannot be stored, or nothing is kept', async () => {
    const failure = new Error('the database is away')
    for (const ends of [undefined, { endedAt: () => null, end: () => Promise.reject(failure) }]) {
      const { world, current } = brownouts([brownoutRule()], [], ends)
      world.now = BEGINS
      expect(await current.end(ORDER)).toMatchObject({ ended: [1], kept: false })
      expect(brownoutNow(current, 'price', 'shop', BEGINS)).toBe(undefined)
      expect(world.notStored).toEqual(ends === undefined ? [] : [failure])
    }
  })

  it('may have been ordered while this replica was down: nothing is refused until it knows', async () => {
    let endedAt: string | null | undefined
    const { world, current } = brownouts([brownoutRule()], [], { endedAt: () => endedAt, end: async () => true })
    world.now = BEGINS + 1_000
    current.refresh()
    expect(current.from).toBe(Number.POSITIVE_INFINITY)
    // An end that is ordered meanwhile counts, whatever the store says later.
    await current.end(ORDER)
    expect(current.from).toBe(Number.POSITIVE_INFINITY)
    world.rules = [brownoutRule(), later]
    endedAt = null
    current.refresh()
    expect(brownoutNow(current, 'price', 'shop', world.now)).toBe(undefined)
    expect(current.from).toBe(Date.parse(later.from))
  })

  it('by another replica is in effect once it is heard of', async () => {
    let endedAt: string | null = null
    const { world, current } = brownouts([brownoutRule()], [], { endedAt: () => endedAt, end: async () => true })
    world.now = BEGINS + 10_000
    expect(brownoutNow(current, 'price', 'shop', world.now)?.n).toBe(1)
    endedAt = new Date(BEGINS + 5_000).toISOString()
    current.refresh()
    expect(brownoutNow(current, 'price', 'shop', world.now)).toBe(undefined)
    expect((await current.report()).brownouts).toMatchObject([{ state: 'ended', until: endedAt }])
  })
})

describe('what calls cost while none is near', () => {
  it('is a comparison with the time when the next one begins', () => {
    const { world, current } = brownouts([])
    expect(current.from).toBe(Number.POSITIVE_INFINITY)
    world.rules = [brownoutRule()]
    current.refresh()
    expect(current.from).toBe(BEGINS)
    world.now = ENDS
    current.refresh()
    expect(current.from).toBe(Number.POSITIVE_INFINITY)
  })

  it('and nothing is counted before it begins, or from the second day after', async () => {
    const { world, current, call, keep, store } = brownouts([brownoutRule()])
    for (const at of [BEGINS - 1, BEGINS + 2 * DAY_MS]) {
      world.now = at
      current.refresh()
      call('shop')
    }
    await keep()
    expect(store.given[0]?.rows.map(({ calls, brownouts: marks }) => [calls, marks])).toEqual([
      [1, undefined],
      [1, undefined],
    ])
  })
})
