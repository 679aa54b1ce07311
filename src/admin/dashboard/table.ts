import { html } from 'hono/html'
import { inSlices, nextTurn } from '../../observe/in-slices.ts'
import type { Html } from './layout.ts'

export interface Column<Row> {
  readonly head: string
  readonly cell: (row: Row) => Html | string
  /** `number`: right-aligned digits. `text`: sentences, which get more room. */
  readonly kind?: 'number' | 'text'
  /** The link to the page sorted by this column, and this page's own order; undefined if the column cannot be sorted. */
  readonly sort?: { readonly href: string; readonly order: 'ascending' | 'descending' | undefined }
}

interface Table<Row> {
  /** Unique in the page. */
  readonly id: string
  readonly caption: Html | string
  /** The first one names the row. */
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
}

/**
 * Renders a table, which scrolls within itself if it is wider than the screen. On a phone, the rows of a table with sentences
 * become blocks. The roles tell screen readers that it is a table, whatever its layout.
 */
export const table = <Row>(described: Table<Row>): Html =>
  around(
    described,
    described.rows.map((row) => tableRow(described, row)),
  )

/** Renders a table in slices, for hundreds of rows. */
export async function tableInSlices<Row>(described: Table<Row>): Promise<Html> {
  const rows = await inSlices(described.rows, (row) => tableRow(described, row))
  await nextTurn()
  return around(described, rows)
}

function around<Row>({ id, caption, columns }: Table<Row>, rows: readonly Html[]): Html {
  const layout = columns.some(({ kind }) => kind === 'text') ? 'stacked' : ''
  return html`<div class="scroll" role="region" aria-labelledby="${id}-caption" tabindex="0">
<table id="${id}" class="${layout}" role="table">
<caption id="${id}-caption"><span>${caption}</span></caption>
<thead role="rowgroup"><tr role="row">${columns.map(headCell)}</tr></thead>
<tbody role="rowgroup">
${rows}</tbody>
</table>
</div>`
}

const tableRow = <Row>({ columns }: Table<Row>, row: Row): Html =>
  html`<tr role="row">${columns.map((column, index) => cell(column, row, index))}</tr>\n`

function headCell<Row>({ head, kind, sort }: Column<Row>): Html {
  if (sort === undefined) return html`<th scope="col" role="columnheader" class="${kind}">${head}</th>`
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
