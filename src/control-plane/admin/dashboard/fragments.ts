import { html, raw } from 'hono/html'
import { count, timeInWords, timeInZoneOf } from '../../../common/figures.ts'
import type { Html, Column as PlainColumn } from '../../../common/tables.ts'
import { type Word, word } from './words-page.ts'

// Pieces of which pages are made.

/** Renders a time as `2025-01-31 10:24:19`, in UTC; a dash for none. */
export const time = (at: number | string | null): Html =>
  at === null ? html`–` : html`<time datetime="${new Date(at).toISOString()}">${timeInWords(at)}</time>`

/** Renders a time in the zone of another that someone wrote. */
export const writtenTime = (at: string, written: string): Html =>
  html`<time datetime="${new Date(at).toISOString()}" data-written title="${timeInWords(at)} UTC">${timeInZoneOf(at, written)}</time>`

const LONGEST = 2_000

/** Cuts a long text. */
export const clipped = (text: string): string =>
  text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}… (${count(text.length - LONGEST)} more characters)`

/** Renders a path in a body, or a name, as code; a dash for none; `whole` for the root. */
export function place(path: string | null, whole = 'the whole body'): Html {
  if (path === null) return html`<span class="quiet">–</span>`
  return path === '' ? html`${whole}` : html`<code>${path}</code>`
}

/** Renders items in a row. */
export const joined = (items: readonly (Html | string)[], between = ', '): Html =>
  html`${items.map((item, index) => html`${index === 0 ? '' : between}${item}`)}`

/** Renders names as code, in a row. */
export const codes = (names: readonly string[]): Html => joined(names.map((name) => html`<code>${name}</code>`))

/** Renders a link to the page above this one. */
export const back = (href: string, name: string): Html =>
  html`<p class="back"><a href="${href}"><span aria-hidden="true">← </span>${name}</a></p>`

/** Renders figures, each with its name. */
export const figures = (all: readonly (readonly [name: Html | string, value: Html | string])[]): Html =>
  html`<dl class="figures">${all.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`)}</dl>`

/** Renders what is shown once someone opens its summary; what is open from the start can be closed. */
export const folded = (summary: Html | string, content: Html, isOpen = false): Html =>
  html`<details${isOpen ? html` open` : ''}><summary>${summary}</summary>
${content}</details>`

/** Returns a path with those parameters that are set. */
export function withQuery(path: string, parameters: Readonly<Record<string, string | number | undefined>>): string {
  const set = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, `${value}`] as [string, string]],
  )
  return set.length === 0 ? path : `${path}?${new URLSearchParams(set)}`
}

/** Renders a field with a list to choose from. */
export const select = (
  id: string,
  label: string,
  options: readonly (readonly [value: string, name: string])[],
  selected: string | undefined,
): Html =>
  html`<p><label for="${id}">${label}</label>
<select id="${id}" name="${id}">
${options.map(([value, name]) => html`<option value="${value}"${value === selected ? html` selected` : ''}>${name}</option>`)}
</select></p>`

/** Renders the field in which a filter's operation is chosen; `*` stands for none in particular. */
export function selectOperation(operations: readonly string[], selected: string | undefined): Html {
  const names = [...new Set([...operations, ...(selected === undefined ? [] : [selected])])]
  const options = names.map((name) => [name, name === '*' ? 'no single operation' : name] as const)
  return select('operation', 'Operation', [['', 'all'], ...options], selected)
}

export interface Column<Row> extends PlainColumn<Row> {
  /** The link to the page sorted by this column, and this page's own order; undefined if the column cannot be sorted. */
  readonly sort?: { readonly href: string; readonly order: 'ascending' | 'descending' | undefined }
  /** The term that the head is; undefined if it needs no explanation. */
  readonly word?: Word
}

/** Returns a column of counts. */
export const numberColumn = <Row>(head: string, of: (row: Row) => number): Column<Row> => ({
  ...{ head, kind: 'number', cell: (row) => count(of(row)) },
})

interface Table<Row> {
  /** Unique in the page. */
  readonly id: string
  readonly caption: Html | string
  /** The first one names the row. */
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
}

/**
 * Renders a table, which scrolls within itself if it is wider than the screen. On a phone, the rows become blocks, unless there are
 * at most three columns without sentences. The roles tell screen readers that it is a table, whatever its layout.
 */
export function table<Row>({ id, caption, columns, rows }: Table<Row>): Html {
  const layout = columns.length > 3 || columns.some(({ kind }) => kind === 'text') ? 'cards' : ''
  return html`<div class="scroll" role="group" aria-labelledby="${id}-caption" tabindex="0">
<table id="${id}" class="${layout}" role="table">
<caption id="${id}-caption"><span>${caption}</span></caption>
<thead role="rowgroup"><tr role="row">${columns.map(headCell)}</tr></thead>
<tbody role="rowgroup">
${rows.map((row) => tableRow(columns, row))}</tbody>
</table>
</div>`
}

const tableRow = <Row>(columns: readonly Column<Row>[], row: Row): Html =>
  html`<tr role="row">${columns.map((column, index) => cell(column, row, index))}</tr>\n`

function headCell<Row>({ head, kind, sort, word: term }: Column<Row>): Html {
  const named = term === undefined ? head : word(term, head)
  if (sort === undefined) return html`<th scope="col" role="columnheader" class="${kind}">${named}</th>`
  const { href, order } = sort
  const sign = order === undefined ? '' : html`<span aria-hidden="true"> ${order === 'ascending' ? '▴' : '▾'}</span>`
  return html`<th scope="col" role="columnheader" class="${kind}" aria-sort="${order ?? 'none'}"><a class="sort" href="${href}">${head}${sign}</a></th>`
}

function cell<Row>({ head, cell: show, kind }: Column<Row>, row: Row, index: number): Html {
  const content = show(row)
  if (index === 0) return html`<th scope="row" role="rowheader" class="${kind}" data-head="${head}">${content}</th>`
  const classes = [kind ?? '', content === '' ? 'empty-cell' : ''].join(' ').trim()
  return html`<td role="cell" class="${classes}" data-head="${head}">${content}</td>`
}

/** A page of a long list. */
interface Part<Item> {
  readonly items: readonly Item[]
  /** `: 201 to 400 of 1,000`, for a caption; empty if it is the whole list. */
  readonly says: string
  /** Renders links to the previous and the next page; empty if there are none. */
  readonly links: (path: (page: number) => string) => Html | ''
}

/** Returns a page of a list, or the last page if there are fewer. @param page from 1. */
export function part<Item>(all: readonly Item[], page: number, most: number): Part<Item> {
  const last = Math.max(1, Math.ceil(all.length / most))
  const current = Math.min(page, last)
  const begin = (current - 1) * most
  const items = all.slice(begin, begin + most)
  if (last === 1) return { items, says: '', links: () => '' }
  return {
    items,
    says: `: ${count(begin + 1)} to ${count(begin + items.length)} of ${count(all.length)}`,
    links: (path) =>
      html`<p class="buttons">${current === 1 ? '' : html`<a rel="prev" href="${path(current - 1)}">Before</a>`} <span>Page ${count(current)} of ${count(last)}</span> ${current === last ? '' : html`<a rel="next" href="${path(current + 1)}">Next</a>`}</p>`,
  }
}

const BAR = 5
const STEP = 7
const HEIGHT = 20

/** Draws the calls of each week as bars, the oldest first, with their scale. The numbers are its text alternative. */
export function weekBars(weeks: readonly number[]): Html {
  const most = Math.max(1, ...weeks)
  const width = weeks.length * STEP - (STEP - BAR)
  const bars = weeks.map((calls, index) => {
    // A week with any calls at all stays visible.
    const height = calls === 0 ? 0 : Math.max(2, Math.round((calls / most) * (HEIGHT - 1)))
    return height === 0 ? '' : `M${index * STEP} ${HEIGHT - 1}v${-height}h${BAR}v${height}z`
  })
  return html`<svg class="weeks" role="img" aria-label="Calls per week, the oldest first: ${weeks.map(count).join('; ')}" viewBox="0 0 ${width} ${HEIGHT}" width="${width}" height="${HEIGHT}"><path class="base" d="M0 ${HEIGHT - 0.5}h${width}"/><path d="${raw(bars.join(''))}"/></svg> <small aria-hidden="true">0 to ${count(Math.max(0, ...weeks))}</small>`
}
