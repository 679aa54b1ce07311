import { expect, it } from 'vitest'
import type { DayOfClient } from '../../../../src/control-plane/usage/daily-usage.ts'
import { NOTHING_SEEN } from '../../../../src/control-plane/usage/usage.ts'
import type { UsageStore } from '../../../../src/control-plane/usage/usage-store.ts'
import { onBothEngines } from '../../cutover/store/support/engines.ts'
import { addAnyhow, dayAgo, portion, row, seen } from './support/made-up.ts'

/** Calls by client and operation. */
async function callsIn(usage: UsageStore, days = 400): Promise<Readonly<Record<string, number>>> {
  const rows = await usage.read({ since: dayAgo(days) })
  return Object.fromEntries(rows.map(({ client, operation, calls }) => [`${client} ${operation}`, calls]))
}

onBothEngines('usage', (newState) => {
  it('is the sum of all that was counted, with what calls showed', async () => {
    const { usage } = await newState().open()
    const [yesterday, today] = [row({ days: 1 }), row()]
    await usage.add(
      portion(1, {
        ...{ ...yesterday, calls: 3, clientErrors: 1, byLegacy: 2, agents: ['curl'] },
        seen: seen({ calls: 2, members: { page: 2 }, statuses: { 200: 1, '406 GONE': 1 } }),
      }),
    )
    await usage.add(
      portion(2, {
        ...{ ...today, calls: 4, serverErrors: 2, byV1: 4, agents: ['php'] },
        seen: seen({ members: { page: 1, size: 1 }, other: 1, languages: { tr: 1 } }),
      }),
    )
    await usage.add(portion(3, row({ days: 0, agents: ['java', 'php'], seen: seen({ members: { size: 1 } }) })))
    const sum = {
      ...{ client: 'shop', operation: 'one', calls: 8, clientErrors: 1, serverErrors: 2, byV1: 6, byLegacy: 2 },
      ...{ firstAt: yesterday.firstAt, lastAt: expect.any(String), agents: ['java', 'php', 'curl'] },
      seen: seen({
        ...{ calls: 4, members: { page: 3, size: 2 }, other: 1 },
        ...{ statuses: { 200: 1, '406 GONE': 1 }, languages: { tr: 1 } },
      }),
    }
    const [read] = await usage.read({ since: dayAgo(1) })
    expect(read).toEqual(sum)
    expect(Date.parse(read?.lastAt ?? '')).toBeGreaterThanOrEqual(Date.parse(today.lastAt))
    expect(await callsIn(usage, 0)).toEqual({ 'shop one': 5 })
  })

  it('keeps what the first call of a day showed, if it was looked at before the call was stored', async () => {
    const { usage } = await newState().open()
    await usage.add(portion(1, row({ calls: 0, byV1: 0, seen: seen({ members: { page: 1 } }) })))
    const counted = seen({ calls: 0, statuses: { 200: 1 } })
    await usage.add(portion(2, row({ agents: ['curl'], seen: counted })))
    const [read] = await usage.read({ since: dayAgo(0) })
    expect(read).toMatchObject({ calls: 1, agents: ['curl'], seen: { members: { page: 1 }, statuses: { 200: 1 } } })
  })

  it('is read for any requested name', async () => {
    const { usage } = await newState().open()
    await usage.add(portion(1, row({ client: 'a\0b\ud800' })))
    const clients = async (client: string) => (await usage.read({ since: dayAgo(1), client })).map((one) => one.calls)
    expect(await clients('a\0b\ud800')).toEqual([1])
    expect(await clients('\0')).toEqual([])
    expect(await usage.read({ since: dayAgo(1), operation: '\0' })).toEqual([])
  })

  it('is read without what calls showed where nobody wants it: the same sums, the latest agents first', async () => {
    const { usage } = await newState().open()
    const shown = seen({ members: { page: 1 } })
    await usage.add(portion(1, row({ days: 2, agents: ['curl'], seen: shown }), row({ days: 1, agents: ['php'] })))
    await usage.add(portion(2, row({ days: 0, agents: ['java'], calls: 5 }), row({ client: 'erp', seen: shown })))
    const query = { since: dayAgo(2) }
    const [shop, erp] = await usage.read({ ...query, isSummary: true })
    expect(shop).toMatchObject({ client: 'shop', calls: 7, agents: ['java', 'php', 'curl'], seen: NOTHING_SEEN })
    expect(erp?.seen).toEqual(NOTHING_SEEN)
    expect([shop, erp]).toEqual((await usage.read(query)).map((one) => ({ ...one, seen: NOTHING_SEEN })))
  })

  it('is read of one client or one operation, the most calls first', async () => {
    const { usage } = await newState().open()
    await usage.add(
      portion(
        1,
        ...[row({ calls: 2 }), row({ operation: 'two', calls: 5 }), row({ client: 'erp', calls: 7 })],
        row({ client: 'erp', operation: 'three', days: 40 }),
      ),
    )
    const read = async (query: object) =>
      (await usage.read({ since: dayAgo(30), ...query })).map(({ client, operation }) => `${client} ${operation}`)
    expect(await read({})).toEqual(['erp one', 'shop two', 'shop one'])
    expect(await read({ client: 'shop' })).toEqual(['shop two', 'shop one'])
    expect(await read({ operation: 'one' })).toEqual(['erp one', 'shop one'])
    expect(await read({ client: 'shop', operation: 'two' })).toEqual(['shop two'])
    expect(await read({ client: 'nobody' })).toEqual([])
  })

  it('counts a portion that is given again once, and one that is older not at all', async () => {
    const state = newState()
    const { usage } = await state.open()
    for (const number of [1, 1, 2, 2, 1]) await usage.add(portion(number, row()))
    expect(await callsIn(usage)).toEqual({ 'shop one': 2 })
    const { usage: other } = await state.open()
    await other.add(portion(1, row()))
    expect(await callsIn(usage)).toEqual({ 'shop one': 3 })
  })

  it('is the same when two processes add the same clients at the same time', async () => {
    const state = newState()
    const processes = [await state.open('a'), await state.open('b'), await state.open('c')]
    const rows = Array.from({ length: 60 }, (_, at) =>
      row({ client: `client ${at}`, seen: seen({ members: { a: 1 } }) }),
    )
    const addAll = async ({ usage }: (typeof processes)[number], backwards: boolean) => {
      for (let number = 1; number <= 4; number++) {
        await addAnyhow(usage, { number, rows: backwards ? rows.toReversed() : rows })
      }
    }
    await Promise.all(processes.map((one, at) => addAll(one, at % 2 === 1)))
    const read = await processes[0]?.usage.read({ since: dayAgo(0) })
    expect(read).toHaveLength(60)
    for (const { calls, seen } of read ?? []) expect([calls, seen.calls, seen.members]).toEqual([12, 12, { a: 12 }])
    expect(await state.sql('SELECT clients FROM usage_day')).toEqual([{ clients: 60 }])
  })

  it('takes any text, within its bounds', async () => {
    const { usage } = await newState().open()
    const long = 'x'.repeat(1_000)
    await usage.add(
      portion(
        1,
        row({ client: '\0 \ud800 "quoted" $1 ü 😀', agents: [`${'x'.repeat(199)}😀`, '\0'], operation: '__proto__' }),
        row({ client: long, agents: [long], seen: seen({ statuses: { [long]: 1, constructor: 1 } }) }),
        row({ client: `${long}y` }),
      ),
    )
    const [others, odd] = await usage.read({ since: dayAgo(0) })
    expect(others).toMatchObject({ client: 'others', calls: 2, agents: ['x'.repeat(200)] })
    expect(others?.seen.statuses).toEqual({ ['x'.repeat(200)]: 1, constructor: 1 })
    expect(odd).toMatchObject({ client: '\ufffd \ufffd "quoted" $1 ü 😀', operation: '__proto__' })
    expect(odd?.agents).toEqual([`${'x'.repeat(199)}\ufffd`, '\ufffd'])
  })

  it('is read although a row was made unreadable, whose name is said once; its next calls are stored', async () => {
    const state = newState()
    const { usage } = await state.open()
    const shown = seen({ members: { page: 1 } })
    await usage.add(portion(1, row({ seen: shown }), row({ client: 'erp', seen: shown })))
    for (const doc of ['no JSON', '{"members":{"page":-1}}', '{"agents":7}', '[]', 'null', '{"statuses":null}']) {
      await state.sql(`UPDATE usage SET doc = '${doc}' WHERE client = 'shop'`)
      const rows = await usage.read({ since: dayAgo(0) })
      expect(rows.find(({ client }) => client === 'erp')?.seen).toEqual(shown)
      expect(rows.find(({ client }) => client === 'shop')).toMatchObject({ calls: 1 })
    }
    expect(state.warnings).toEqual([expect.stringMatching(/^a row of the table usage cannot be read: .* delete it$/)])
    await state.sql(`UPDATE usage SET doc = 'no JSON', agents = '7' WHERE client = 'shop'`)
    expect(await usage.read({ since: dayAgo(0), client: 'shop' })).toMatchObject([{ calls: 1, agents: [] }])
    await usage.add(portion(2, row({ seen: shown, agents: ['curl'] })))
    const [shop] = await usage.read({ since: dayAgo(0), client: 'shop' })
    expect(shop).toMatchObject({ calls: 2, agents: ['curl'], seen: shown })
  })

  it('of the last 12 weeks is by week, client and operation', async () => {
    const { usage } = await newState().open()
    const days = [0, 6, 7, 13, 77, 83, 84, 200]
    await usage.add(portion(1, ...days.map((days) => row({ days })), row({ client: 'erp', days: 14, calls: 9 })))
    expect(await usage.weeks()).toEqual(
      expect.arrayContaining([
        { client: 'erp', operation: 'one', weeksAgo: 2, calls: 9 },
        { client: 'shop', operation: 'one', weeksAgo: 0, calls: 2 },
        { client: 'shop', operation: 'one', weeksAgo: 1, calls: 2 },
        { client: 'shop', operation: 'one', weeksAgo: 11, calls: 2 },
      ]),
    )
    expect(await usage.weeks()).toHaveLength(4)
  })

  it('by day is by client, of all operations and both sides, each client on one page and in order', async () => {
    const { usage } = await newState().open()
    await usage.add(
      portion(
        1,
        row({ days: 0, byV1: 1, byLegacy: 0 }),
        row({ days: 0, operation: 'two', calls: 4, byV1: 1, byLegacy: 3 }),
        row({ days: 9, byV1: 0, byLegacy: 1 }),
        row({ days: 10 }),
        row({ client: 'erp', days: 3, calls: 9, byV1: 0, byLegacy: 9 }),
      ),
    )
    const days: DayOfClient[] = []
    for await (const page of usage.days(dayAgo(9))) days.push(...page)
    expect(days).toEqual([
      { client: 'erp', day: dayAgo(3), calls: 9, byV1: 0, byLegacy: 9 },
      { client: 'shop', day: dayAgo(9), calls: 1, byV1: 0, byLegacy: 1 },
      { client: 'shop', day: dayAgo(0), calls: 5, byV1: 2, byLegacy: 3 },
    ])
  })
})
