import { expect, it } from 'vitest'
import { dossierCallers } from '../../src/app/build-dossier.ts'
import { reportUsage } from '../../src/usage/report-usage.ts'
import { addRows, addToday } from '../../src/usage/stored-usage.ts'
import type { WeekOfUsage } from '../../src/usage/usage.ts'
import { countTurns } from '../support/count-turns.ts'
import { used } from '../support/known-usage.ts'
import { slowClock } from '../support/slow-clock.ts'

const ROWS = 40
const ROW_MS = 3
const NOW = Date.parse('2025-03-04T12:34:56Z')

/** Rows whose number of calls takes long to read: those of ten thousand clients on a slow machine, in little. */
const slowRows = <Row extends object>(row: (index: number) => Row, member: string): readonly Row[] =>
  Array.from({ length: ROWS }, (_, index) =>
    Object.defineProperty(row(index), member, {
      enumerable: true,
      get() {
        for (const end = performance.now() + ROW_MS; performance.now() < end; );
        return 2
      },
    }),
  )

/** A slice ends after 10 ms, and so after four rows at most; the last one needs no turn after it. */
const LEAST_TURNS = ROWS / 4 - 1

it('calls are answered while the clients of a dossier are added up', async () => {
  const row = (index: number) => ({
    ...{ client: `client-${index}`, operation: 'price', byV1: 0, byLegacy: 1 },
    lastAt: index % 2 === 0 ? NOW - index : new Date(NOW - index).toISOString(),
  })
  const [callers, turns] = await countTurns(() => dossierCallers(NOW, slowRows(row, 'byV1')))
  expect(callers?.clients.map(({ client }) => client)).toEqual(Array.from({ length: ROWS }, (_, at) => `client-${at}`))
  expect(callers?.clients[3]).toMatchObject({ byV1: 2, byLegacy: 1, lastAt: '2025-03-04T12:34:55.997Z' })
  expect(turns).toBeGreaterThanOrEqual(LEAST_TURNS)
})

it('calls are answered while the calls of today are added to those of twelve weeks', async () => {
  const row = (index: number): WeekOfUsage => ({ client: `client-${index}`, operation: 'price', weeksAgo: 0, calls: 0 })
  const [weeks, turns] = await countTurns(() => addToday(slowRows(row, 'weeksAgo'), [], NOW))
  expect(weeks).toHaveLength(ROWS)
  expect(turns).toBeGreaterThanOrEqual(LEAST_TURNS)
})

it('calls are answered while rows are grouped by client', async () => {
  const rows = Array.from({ length: 100 }, (_, n) =>
    used(`client-${n % 2}`, `operation-${n}`, new Date(NOW + n).toISOString()),
  )
  await slowClock()
  const [report, turnsOfReport] = await countTurns(() => reportUsage('2025-03-04', rows))
  expect(report.clients.map(({ client, operations }) => [client, Object.keys(operations).length])).toEqual([
    ['client-1', 50],
    ['client-0', 50],
  ])
  expect(turnsOfReport).toBeGreaterThanOrEqual(rows.length)
  const [callers, turnsOfDossier] = await countTurns(() => dossierCallers(NOW, rows))
  expect(callers?.clients.map(({ client, operations }) => [client, operations.length])).toEqual([
    ['client-1', 50],
    ['client-0', 50],
  ])
  expect(turnsOfDossier).toBeGreaterThanOrEqual(rows.length)
})

it('calls are answered while the rows of one client are found, and while rows are sorted', async () => {
  const rows = Array.from({ length: 100 }, (_, n) =>
    used(`client-${n}`, 'price', new Date(NOW).toISOString(), { calls: n }),
  )
  await slowClock()
  const query = { since: '2025-03-04', client: 'client-7' }
  const [found, turnsOfSearch] = await countTurns(() => addRows([], rows, query))
  expect(found.map(({ client, calls }) => [client, calls])).toEqual([['client-7', 7]])
  expect(turnsOfSearch).toBeGreaterThanOrEqual(rows.length)
  const [sorted, turnsOfAll] = await countTurns(() => addRows(rows, [], { since: '2025-03-04' }))
  expect(sorted.map(({ calls }) => calls)).toEqual(Array.from({ length: 100 }, (_, n) => 99 - n))
  expect(turnsOfAll).toBeGreaterThanOrEqual(2 * rows.length)
})
