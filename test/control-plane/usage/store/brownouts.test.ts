import { expect, it } from 'vitest'
import { openFileStore } from '../../../../src/app/stores.ts'
import type {
  BrownoutCalls,
  BrownoutMarks,
  BrownoutQuery,
} from '../../../../src/control-plane/usage/brownouts/brownout-calls.ts'
import type { UsageRow } from '../../../../src/control-plane/usage/usage.ts'
import type { UsageStore } from '../../../../src/control-plane/usage/usage-store.ts'
import { seededRandom } from '../../../support/seeded-random.ts'
import { onBothEngines } from '../../cutover/store/support/engines.ts'
import { addAnyhow, dayNumberAgo, portion, row } from './support/made-up.ts'

const DAY_MS = 86_400_000
/** Noon of the day so many days ago. */
const noon = (days: number): number => (dayNumberAgo(days) + 0.5) * DAY_MS
const brownout = (key: string, days: number, operations = ['*']): BrownoutQuery => ({
  ...{ key, operations, from: noon(days) },
})
const marks = (refused: number, passed = 0, since = 0): BrownoutMarks => ({ refused, passed, since })

/** The calls by client and brownout, without those that are nothing. */
async function callsIn(usage: UsageStore, ...queries: readonly BrownoutQuery[]) {
  const all: Record<string, BrownoutCalls> = {}
  for await (const page of usage.brownouts(queries)) {
    for (const { client, calls } of page) {
      for (const [key, counts] of calls)
        if (Object.values(counts).some((one) => one !== 0)) all[`${client} ${key}`] = counts
    }
  }
  return all
}

onBothEngines('the calls of brownouts', (newState) => {
  it('are those of the 30 days before, those refused, and those since, of its operations', async () => {
    const { usage } = await newState().open()
    await usage.add(
      portion(
        1,
        ...[row({ days: 40, calls: 1_000 }), row({ days: 39, calls: 100 }), row({ days: 11, calls: 20 })],
        // The day of its beginning: 9 calls came before, and the next day 5 came after its end.
        row({ days: 10, calls: 9 + 3 + 1 + 2, brownouts: { noon: marks(3, 1, 2) } }),
        row({ days: 9, calls: 6, brownouts: { noon: marks(1, 0, 5) } }),
        ...[row({ days: 8, calls: 7 }), row({ days: 0, calls: 8 }), row({ operation: 'two', calls: 50 })],
        ...[row({ client: 'erp', operation: 'unknown', days: 11 }), row({ client: 'unidentified', days: 11 })],
      ),
    )
    const shop = { before: 129, refused: 4, since: 22 }
    const nobody = { before: 1, refused: 0, since: 0 }
    expect(await callsIn(usage, brownout('noon', 10, ['one']))).toEqual({
      'shop noon': shop,
      'unidentified noon': nobody,
    })
    // Nobody marked the calls of the other: those of its first day count as before, and all later ones as since.
    expect(await callsIn(usage, brownout('noon', 10), brownout('late', 9, ['two', 'one']))).toEqual({
      ...{ 'shop noon': { ...shop, since: 72 }, 'unidentified noon': nobody },
      ...{ 'shop late': { before: 41, refused: 0, since: 65 }, 'unidentified late': nobody },
    })
    expect(await callsIn(usage, brownout('gone', 80))).toEqual({
      ...{
        'shop gone': { before: 0, refused: 0, since: 1_206 },
        'unidentified gone': { before: 0, refused: 0, since: 1 },
      },
    })
  })

  it('add up in any order and grouping, over processes and portions that are given twice', async () => {
    const ROWS = 40
    const random = seededRandom(7)
    const any = (below: number): number => Math.floor(random() * below)
    const rows: UsageRow[] = Array.from({ length: ROWS }, () => {
      const [a, b] = [marks(any(3), any(3), any(3)), marks(any(2))]
      const calls = Object.values(a).reduce((sum, one) => sum + one, any(9))
      const brownouts = any(3) === 0 ? undefined : any(2) === 0 ? { a } : { a, b }
      return row({
        client: `client ${any(5)}`,
        operation: ['one', 'two'][any(2)] ?? '',
        days: 3 + any(3),
        calls,
        brownouts,
      })
    })
    const results: unknown[] = []
    for (const size of [ROWS, 7, 1]) {
      const state = newState()
      const processes = [await state.open('a'), await state.open('b')]
      const parts = Array.from({ length: Math.ceil(rows.length / size) }, (_, at) =>
        rows.slice(at * size, (at + 1) * size),
      )
      await Promise.all(
        processes.map(async ({ usage }, at) => {
          const own = parts.filter((_, index) => index % 2 === at)
          for (const [index, part] of (size === 7 ? own.toReversed() : own).entries()) {
            for (let times = 0; times < 2; times++) await addAnyhow(usage, { number: index + 1, rows: part })
          }
        }),
      )
      results.push(await callsIn(processes[0]?.usage as UsageStore, brownout('a', 4), brownout('b', 5, ['two'])))
    }
    expect(results[1]).toEqual(results[0])
    expect(results[2]).toEqual(results[0])
    const marked = rows.reduce((sum, { brownouts }) => sum + (brownouts?.a?.refused ?? 0), 0)
    const refused = Object.entries(results[0] as object).map(([name, { refused }]) =>
      name.endsWith(' a') ? refused : 0,
    )
    // Those of the day before it began do not count.
    expect(refused.reduce((sum, one) => sum + one, 0)).toBeGreaterThan(marked / 3)
  })

  it('move with a client that is not told apart', async () => {
    const state = newState()
    const { usage } = await state.open()
    await usage.add(portion(1, row({ client: 'x'.repeat(300), days: 1, calls: 3, brownouts: { noon: marks(1) } })))
    expect(await callsIn(usage, brownout('noon', 1))).toEqual({ 'others noon': { before: 2, refused: 1, since: 0 } })
  })
})

it('memory counts the calls of brownouts until the process ends', async () => {
  const { store, usage } = openFileStore(':memory:', {
    ...{ replica: 'this', log: { warn: () => undefined } },
  })
  await store.open()
  for (let times = 0; times < 2; times++) {
    await usage.add(portion(1, row({ days: 1, calls: 3, brownouts: { noon: marks(1, 1) } }), row()))
  }
  expect(await callsIn(usage, brownout('noon', 1))).toEqual({ 'shop noon': { before: 1, refused: 1, since: 1 } })
  await store.close(500)
})
