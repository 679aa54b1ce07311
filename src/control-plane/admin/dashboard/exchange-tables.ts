import { html } from 'hono/html'
import { counted } from '../../../common/figures.ts'
import type { Html } from '../../../common/tables.ts'
import type { ShownExchange, ShownValue } from '../../evidence/examples.ts'
import { anchorOf, wholeOf } from './difference-rows.ts'
import { clipped, table, time } from './fragments.ts'
import type { ExperimentDifference } from './sources.ts'

/** A difference of an exchange, with its number among the operation's differences that count. */
interface Row extends ShownValue {
  readonly number: number
  readonly difference: ExperimentDifference
}

interface NumberedExchange extends Omit<ShownExchange, 'values'> {
  readonly rows: readonly Row[]
}

/**
 * Renders a table for each exchange, with its call and both sides of what differs: first the fewest, latest ones that show every
 * difference, then the others, folded. Empty if there are none.
 * @param differences those that count, as they are numbered in the page.
 */
export function exchangeTables(
  exchanges: readonly ShownExchange[],
  differences: readonly ExperimentDifference[],
): Html | '' {
  const numbers = new Map(
    differences.map((difference, index) => [keyOf(difference), { difference, number: index + 1 }] as const),
  )
  const numbered = exchanges.map((exchange) => withNumbers(exchange, numbers)).filter(({ rows }) => rows.length > 0)
  if (numbered.length === 0) return ''
  const shown = fewestOf(numbered)
  const others = numbered.filter((exchange) => !shown.includes(exchange))
  return html`${shown.map((exchange, index) => exchangeTable(exchange, index + 1))}
${
  others.length === 0
    ? ''
    : html`<details><summary>${counted(others.length, 'more exchange')} with the same differences</summary>
${others.map((exchange, index) => exchangeTable(exchange, shown.length + index + 1))}</details>`
}`
}

const keyOf = ({ kind, path }: Pick<ShownValue, 'kind' | 'path'>): string => `${kind} ${path}`

function withNumbers(
  { values, ...call }: ShownExchange,
  numbers: ReadonlyMap<string, Pick<Row, 'number' | 'difference'>>,
): NumberedExchange {
  const rows = values.flatMap((value) => {
    const of = numbers.get(keyOf(value))
    return of === undefined ? [] : [{ ...value, ...of }]
  })
  return { ...call, rows: rows.sort((a, b) => a.number - b.number) }
}

/** Returns few exchanges that show every difference that any shows: each time the one with most that are still to be shown. */
function fewestOf(exchanges: readonly NumberedExchange[]): readonly NumberedExchange[] {
  const missing = new Set(exchanges.flatMap(({ rows }) => rows.map(({ number }) => number)))
  const chosen: NumberedExchange[] = []
  const adds = ({ rows }: NumberedExchange): number => rows.filter(({ number }) => missing.has(number)).length
  while (missing.size > 0) {
    const next = exchanges.reduce((best, exchange) => (adds(exchange) > adds(best) ? exchange : best))
    chosen.push(next)
    for (const { number } of next.rows) missing.delete(number)
  }
  return chosen
}

const exchangeTable = ({ rows, ...call }: NumberedExchange, number: number): Html =>
  html`<section class="exchange">
${table({
  id: `exchange-${number}`,
  caption: html`<code class="call"><strong>${call.method} ${call.path}</strong>${call.body === null ? '' : html` ${call.body}`}</code> ${time(call.at)}`,
  columns: [
    {
      head: 'Difference',
      cell: (row) =>
        html`<a href="#${anchorOf(row.number)}">${row.path === '' ? wholeOf(row.difference) : row.path}</a> <small>${row.kind}</small>`,
    },
    { head: 'Legacy', word: 'control', kind: 'text', cell: controlCell },
    {
      head: 'v1, translated',
      word: 'candidate',
      kind: 'text',
      cell: ({ kind, control, candidate }) =>
        kind === 'failure' ? html`<span class="quiet">none that can be used</span>` : marked(candidate, control),
    },
  ],
  rows,
})}
<div class="repeat">${call.explain === undefined ? '' : html`<a href="/explain?${call.explain}">Explain</a>`}<details><summary>as curl</summary><pre>${call.curl}</pre></details><details><summary>as curl, to the legacy service</summary><pre>${call.legacyCurl}</pre></details></div>
</section>`

/** Where v1 failed, legacy's answer is not kept. */
const controlCell = ({ kind, control, candidate }: Row): Html =>
  kind === 'failure' ? html`<span class="quiet">answered</span>` : marked(control, candidate)

/** Renders a value with the part marked in which it differs from the other side's. */
function marked(json: string | null, other: string | null): Html {
  if (json === null) return html`<span class="quiet">nothing</span>`
  const text = clipped(json)
  if (other === null) return html`<code><mark>${text}</mark></code>`
  const [begin, end] = unequalPart(text, clipped(other))
  return html`<code>${text.slice(0, begin)}${begin === end ? '' : html`<mark>${text.slice(begin, end)}</mark>`}${text.slice(end)}</code>`
}

/** Whether the second half of a character is there: characters are not torn apart. */
const isInPair = (text: string, at: number): boolean => /[\udc00-\udfff]/.test(text[at] ?? '')

/** Returns where a text ceases to be equal to another from its begin, and where it is equal again up to its end. */
function unequalPart(text: string, other: string): readonly [begin: number, end: number] {
  const most = Math.min(text.length, other.length)
  let begin = 0
  while (begin < most && text[begin] === other[begin]) begin++
  while (begin > 0 && (isInPair(text, begin) || isInPair(other, begin))) begin--
  let same = 0
  while (same < most - begin && text.at(-1 - same) === other.at(-1 - same)) same++
  while (same > 0 && (isInPair(text, text.length - same) || isInPair(other, other.length - same))) same--
  return [begin, text.length - same]
}
