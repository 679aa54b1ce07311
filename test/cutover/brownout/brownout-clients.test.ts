import { describe, expect, it } from 'vitest'
import type { BrownoutRule } from '../../../src/compare/rollout/brownout-rule.ts'
import type { UsageRow } from '../../../src/cutover/brownout/brownout-clients.ts'
import { type BrownoutEnds, currentBrownouts } from '../../../src/cutover/brownout/current-brownouts.ts'
import type { NewEntry } from '../../../src/cutover/event.ts'
import { BEGINS, brownoutRule, ENDS } from '../../support/brownout-rule.ts'

const NOTHING = { before: 0, refused: 0, since: 0 }

/** Brownouts at a time that the test sets, with the calls that it says. */
function brownouts(rules: readonly BrownoutRule[], usage: readonly UsageRow[] = [], ends?: BrownoutEnds) {
  const world = { now: BEGINS - 1_000, rules, usage, notStored: [] as unknown[] }
  const current = currentBrownouts({
    rules: () => world.rules,
    ends,
    usage: () => ({ since: BEGINS - 5_000, rows: world.usage }),
    notClients: ['others', 'unidentified'],
    onNotStored: (error) => world.notStored.push(error),
    now: () => world.now,
    random: () => 0,
  })
  /** A call of `price`, from its arrival to its answer. */
  const call = (client: string, operation = 'price'): void => {
    const brownout = world.now < current.from ? undefined : current.of(operation, client, world.now)
    current.count({ operation, client, brownout: brownout?.n, at: world.now })
  }
  return { world, current, call }
}

describe('of a brownout to come', () => {
  it('those may be hit who have called its operations, unless it spares them', () => {
    const { current } = brownouts(
      [brownoutRule({ operations: ['price'], except: ['spared'] })],
      [
        { operation: 'price', client: 'shop', calls: 3 },
        { operation: 'price', client: 'spared', calls: 5 },
        { operation: 'auth', client: 'elsewhere', calls: 7 },
        { operation: 'price', client: 'unidentified', calls: 11 },
      ],
    )
    expect(current.report()).toMatchObject({
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

  it('of clients, lists exactly those that it has chosen', () => {
    const usage = Array.from({ length: 200 }, (_, n) => ({ operation: 'price', client: `client-${n}`, calls: 1 }))
    const { world, current } = brownouts([brownoutRule({ of: 'clients', percent: 20 })], usage)
    const told = current.report().brownouts[0]?.clients.map(({ client }) => client) ?? []
    world.now = BEGINS
    const hit = usage.flatMap(({ client }) => (current.of('price', client, BEGINS) === undefined ? [] : [client]))
    expect(hit.length).toBeGreaterThan(10)
    expect([...told].sort()).toEqual([...hit].sort())
  })
})

describe('of a past brownout', () => {
  it('says who called before, who was hit, and who has called since', () => {
    const { world, current, call } = brownouts(
      [brownoutRule({ except: ['spared'] })],
      [
        { operation: 'price', client: 'quiet', calls: 4 },
        { operation: 'price', client: 'stubborn', calls: 2 },
      ],
    )
    world.now = BEGINS
    for (const client of ['stubborn', 'stubborn', 'new', 'spared']) call(client)
    expect(current.report().brownouts[0]).toMatchObject({ state: 'under way' })
    world.now = ENDS
    for (const client of ['stubborn', 'spared', 'spared']) call(client)
    expect(current.report().brownouts[0]).toMatchObject({
      state: 'over',
      clients: [
        { client: 'spared', before: 0, refused: 0, since: 2 },
        { client: 'stubborn', before: 2, refused: 2, since: 1 },
        { client: 'new', before: 0, refused: 1, since: 0 },
        { client: 'quiet', before: 4, refused: 0, since: 0 },
      ],
      others: NOTHING,
    })
  })

  it('at most 1,000 clients are remembered, and the calls of all others counted', () => {
    const { world, current, call } = brownouts([brownoutRule()])
    world.now = BEGINS
    for (let n = 0; n < 1_200; n++) call(`client-${n}`)
    const [report] = current.report().brownouts
    expect([report?.clients.length, report?.others]).toEqual([1_000, { ...NOTHING, refused: 200 }])
  })

  it('the counts outlive a change of the rollout file that leaves its beginning and operations as they are', () => {
    const { world, current, call } = brownouts([brownoutRule()])
    world.now = BEGINS
    call('shop')
    world.rules = [
      brownoutRule({ from: '2027-05-03T12:00:00Z', to: '2027-05-03T13:00:00Z' }),
      brownoutRule({ to: '2027-05-03T06:20:00Z' }),
    ]
    current.refresh()
    call('shop')
    world.now = ENDS
    call('shop')
    expect(current.report().brownouts.map(({ n, state, clients }) => [n, state, clients])).toEqual([
      [1, 'to come', []],
      [2, 'over', [{ client: 'shop', before: 0, refused: 2, since: 1 }]],
    ])
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
    expect(current.of('price', 'shop', world.now)?.n).toBe(1)
    const at = new Date(world.now).toISOString()
    const ending = current.end(ORDER)
    expect(current.of('price', 'shop', world.now)).toBe(undefined)
    expect(await ending).toEqual({ ...ORDER, at, ended: [1], kept: true })
    expect(entries).toEqual([
      {
        ...{ id: expect.any(String), event: 'brownouts-ended', operation: '*', ...ORDER, lineage: '{}' },
        ...{ from: 'under way: 1', to: 'ended', counts: '{"ended":1}' },
      },
    ])
    expect(current.report()).toMatchObject({
      endedAt: at,
      brownouts: [{ state: 'ended', until: at }, { state: 'to come' }],
    })
    world.now = Date.parse(later.from)
    expect(current.of('price', 'shop', world.now)?.n).toBe(2)
  })

  it('is in effect here though it cannot be stored, or nothing is kept', async () => {
    const failure = new Error('the database is away')
    for (const ends of [undefined, { endedAt: () => null, end: () => Promise.reject(failure) }]) {
      const { world, current } = brownouts([brownoutRule()], [], ends)
      world.now = BEGINS
      expect(await current.end(ORDER)).toMatchObject({ ended: [1], kept: false })
      expect(current.of('price', 'shop', BEGINS)).toBe(undefined)
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
    expect(current.of('price', 'shop', world.now)).toBe(undefined)
    expect(current.from).toBe(Date.parse(later.from))
  })

  it('by another replica is in effect once it is heard of', () => {
    let endedAt: string | null = null
    const { world, current } = brownouts([brownoutRule()], [], { endedAt: () => endedAt, end: async () => true })
    world.now = BEGINS + 10_000
    expect(current.of('price', 'shop', world.now)?.n).toBe(1)
    endedAt = new Date(BEGINS + 5_000).toISOString()
    current.refresh()
    expect(current.of('price', 'shop', world.now)).toBe(undefined)
    expect(current.report().brownouts).toMatchObject([{ state: 'ended', until: endedAt }])
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
})
