import { addDocuments, type Delta, documentsOf, type Kind } from '../../store/ledger.ts'
import { KEPT_DAYS, type Kept } from '../../store/retention.ts'
import { query, type Work } from '../../store/sql.ts'
import {
  addMarksOf,
  type BrownedClient,
  type BrownoutQuery,
  firstDayBefore,
  firstDaySince,
  type MarksByBrownout,
  sumBrownouts,
} from '../brownouts/brownout-calls.ts'
import type { UsageRow } from '../usage.ts'
import { dayNumber } from './day-number.ts'
import { clientsAfter, conditionsOf, type Page } from './read-pages.ts'

/** What the calls of a client on a day were to brownouts; of all operations together, because a brownout is. */
export const MARKS: Kind<MarksByBrownout> = {
  name: 'marks',
  add: (one, other) => addMarksOf(one, other) as MarksByBrownout,
  parse: (json) => json as MarksByBrownout,
}

export const KEPT_MARKS: Kept = {
  ...{ table: 'ledger', key: 'kind, key', column: 'at', days: KEPT_DAYS, where: "kind = 'marks'" },
}

/** @param day the number of days since 1970-01-01. */
export const marksDelta = (client: string, day: number, marks: MarksByBrownout): Delta<MarksByBrownout> => ({
  ...{ key: `${day} ${client}`, part: client, doc: marks },
})

/** Adds what the calls of rows were to brownouts. */
export function* addMarks(rows: readonly UsageRow[], now: Date): Work<void> {
  const sums = new Map<string, Delta<MarksByBrownout>>()
  for (const { client, day, brownouts } of rows) {
    if (brownouts === undefined) continue
    const delta = marksDelta(client, dayNumber(day), brownouts)
    const sum = addMarksOf(sums.get(delta.key)?.doc, delta.doc) as MarksByBrownout
    sums.set(delta.key, { ...delta, doc: sum })
  }
  yield* addDocuments(MARKS, [...sums.values()], now)
}

/**
 * Returns the calls of some clients after `after`, by brownout. The database adds up the days between which nothing changes for any
 * brownout.
 * @param most as in `usagePage`.
 */
export function* brownoutsPage(
  queries: readonly BrownoutQuery[],
  after: string,
  most: number,
): Work<Page<BrownedClient>> {
  const edges = edgesOf(queries)
  const since = edges[0] ?? 0
  const { clients, last } = yield* clientsAfter({ since }, after, most)
  if (clients.length === 0) return { rows: [], last, unreadable: [] }
  const [where, values] = conditionsOf({ since }, clients)
  const sums = sumBrownouts(queries)
  const span = spanOf(edges.length, values.length)
  const days = yield* query<SpanRow>(
    `SELECT client, operation, ${span} AS span, sum(calls) AS calls FROM usage ${where} GROUP BY client, operation, span`,
    ...[...values, ...edges.slice(1)],
  )
  for (const row of days) sums.calls(row.client, row.operation, edges[Number(row.span)] ?? since, Number(row.calls))
  for (const { key, part, doc } of yield* documentsOf(MARKS, clients)) {
    const day = Number(key.slice(0, key.indexOf(' ')))
    if (day < since) continue
    for (const [brownout, marks] of Object.entries(doc)) sums.marks(part, day, brownout, marks)
  }
  return { rows: sums.clients(), last, unreadable: [] }
}

type SpanRow = Readonly<Record<'client' | 'operation', string>> & Readonly<Record<'span' | 'calls', number | string>>

/** Returns the days on which something begins or ends for a brownout, in order. */
const edgesOf = (queries: readonly BrownoutQuery[]): readonly number[] => {
  const days = queries.flatMap(({ from }) => [firstDayBefore(from), firstDaySince(from) - 1, firstDaySince(from)])
  return [...new Set(days)].sort((a, b) => a - b)
}

/** Returns the number of the span that a day is in: 0 before the second edge, and so on. Their values come after `values`. */
const spanOf = (edges: number, values: number): string => {
  const cases = Array.from({ length: edges - 1 }, (_, at) => `WHEN day < $${values + at + 1} THEN ${at}`)
  return `CASE ${cases.join(' ')} ELSE ${edges - 1} END`
}
