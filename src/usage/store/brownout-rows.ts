import { query, type Work } from '../../state/sql.ts'
import {
  type BrownedClient,
  type BrownoutQuery,
  firstDayBefore,
  firstDaySince,
  sumBrownouts,
} from '../brownouts/brownout-calls.ts'
import { clientsAfter, conditionsOf, type Page } from './read-pages.ts'

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
  const marks = yield* query<MarksRow>(
    `SELECT client, day, brownout, refused, passed, since FROM usage_brownout ${where}`,
    ...values,
  )
  for (const { client, day, brownout, refused, passed, since } of marks) {
    sums.marks(client, day, brownout, { refused: Number(refused), passed: Number(passed), since: Number(since) })
  }
  return { rows: sums.clients(), last, unreadable: [] }
}

type SpanRow = Readonly<Record<'client' | 'operation', string>> & Readonly<Record<'span' | 'calls', number | string>>
type MarksRow = Readonly<Record<'client' | 'brownout', string>> &
  Readonly<Record<'refused' | 'passed' | 'since', number | string>> & { readonly day: number }

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
