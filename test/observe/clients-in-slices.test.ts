import { describe, expect, it } from 'vitest'
import { clientsCsv } from '../../src/admin/dashboard/clients-csv.ts'
import { readClientsFilter } from '../../src/admin/dashboard/clients-filter.ts'
import { clientsPage } from '../../src/admin/dashboard/clients-page.ts'
import type { DashboardSources } from '../../src/admin/dashboard/serve-dashboard.ts'
import { switchOffPage } from '../../src/admin/dashboard/switch-off-page.ts'
import type { KnownUsage } from '../../src/usage/known-usage.ts'
import { NOTHING_SEEN, type OperationUsage, type WeekOfUsage } from '../../src/usage/usage.ts'
import { countTurns } from '../support/count-turns.ts'
import { dashboardSources, NOW, trafficAt } from '../support/dashboard-sources.ts'
import { awayUsage } from '../support/known-usage.ts'

/** How long one page may hold up all calls: two slices, and this share of all that it computes, which is as slow as the machine. */
const TWO_SLICES_MS = 20
const MOST_OF_ALL = 1 / 8
const RUNS = 3
const OPERATIONS = ['price', 'invoice-list', 'package', 'country-list']
const WEEKS = Array.from({ length: 12 }, (_, index) => index)

/** How long the thread computes while something is done, in all and at most between two turns of the event loop. */
async function computedMs(work: () => Promise<unknown>): Promise<{ readonly all: number; readonly longest: number }> {
  const computed = (): number => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1_000
  }
  const started = computed()
  let before = started
  let longest = 0
  const isDone = false
  const note = (): void => {
    const now = computed()
    longest = Math.max(longest, now - before)
    before = now
  }
  const turn = (): void => {
    note()
    if (!isDone) setImmediate(turn)
  }
  setImmediate(turn)
  await work()
  note()
  return { all: before - started, longest }
}

/** Usage of so many clients, each with four operations; each tenth has stopped. */
function usageOf(clients: number): KnownUsage {
  const lastAt = (index: number): string => new Date(NOW - (index % 10 === 9 ? 20 : 1) * 86_400_000).toISOString()
  const rows = Array.from({ length: clients }, (_, index) => index).flatMap((index) =>
    OPERATIONS.map(
      (operation): OperationUsage => ({
        ...{ client: `müşteri-${index}`, operation, calls: 1 + ((index * 7_919) % 1_000), clientErrors: index % 3 },
        ...{ serverErrors: 0, byV1: 1, byLegacy: index % 7, firstAt: lastAt(index), lastAt: lastAt(index) },
        ...{ agents: ['GuzzleHttp/7.9.2 curl/8.5.0 PHP/8.3.14'], seen: NOTHING_SEEN },
      }),
    ),
  )
  const weeks = rows.flatMap(({ client, operation }): readonly WeekOfUsage[] =>
    WEEKS.map((weeksAgo) => ({ client, operation, weeksAgo, calls: weeksAgo })),
  )
  return { ...awayUsage, since: async () => rows, weeks: async () => weeks }
}

const filter = (query: Readonly<Record<string, string>> = {}) => readClientsFilter((name) => query[name])

const MADE: readonly (readonly [string, (sources: DashboardSources) => Promise<unknown>])[] = [
  ['the page Clients', (sources) => clientsPage(sources, filter())],
  ['the page Clients, by name', (sources) => clientsPage(sources, filter({ client: 'MUSTERI', sort: 'client' }))],
  ['the CSV', (sources) => clientsCsv(sources, filter())],
  ['the page Switch-off', (sources) => switchOffPage(sources)],
]

describe('with 10,000 clients', () => {
  const traffic = trafficAt().snapshot()
  const sources = dashboardSources({ usage: usageOf(10_000), traffic: () => traffic })

  it.each(MADE)('%s holds up no call for long', async (_, make) => {
    // The first time is that of the compiler.
    await make(sources)
    const held: number[] = []
    for (let run = 0; run < RUNS; run++) {
      const { all, longest } = await computedMs(() => make(sources))
      held.push(longest - all * MOST_OF_ALL)
    }
    // What else the process does, such as collecting garbage, only adds to it.
    expect(Math.min(...held)).toBeLessThan(TWO_SLICES_MS)
  })
})

/** Rows that take long to read: ten thousand clients on a slow machine, in little. */
const SLOW_ROWS = 40
const ROW_MS = 3

it.each(MADE)('calls are answered while %s is made of rows that take long', async (_, make) => {
  const rows = Array.from(
    { length: SLOW_ROWS },
    (_, index): OperationUsage => ({
      ...{
        client: `client-${index}`,
        operation: 'price',
        calls: 1,
        clientErrors: 0,
        serverErrors: 0,
        byV1: 0,
        byLegacy: 1,
      },
      ...{ firstAt: new Date(NOW).toISOString(), lastAt: new Date(NOW).toISOString(), agents: [], seen: NOTHING_SEEN },
    }),
  )
  for (const row of rows) {
    const { client } = row
    Object.defineProperty(row, 'client', {
      enumerable: true,
      get() {
        for (const end = performance.now() + ROW_MS; performance.now() < end; );
        return client
      },
    })
  }
  const sources = dashboardSources({ usage: { ...awayUsage, since: async () => rows, weeks: async () => [] } })
  const [, turns] = await countTurns(() => make(sources))
  // A slice ends after 10 ms, and so after four rows at most.
  expect(turns).toBeGreaterThanOrEqual(SLOW_ROWS / 4)
})
