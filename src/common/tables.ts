import { html } from 'hono/html'

/** A fragment of a page; interpolated values are escaped. */
export type Html = ReturnType<typeof html>

/** A column of a table. */
export interface Column<Row, Cell = Html | string> {
  readonly head: string
  readonly cell: (row: Row) => Cell
  /** `number`: aligned to the right. `text`: sentences, which get more room. `lines`: short texts that may wrap. */
  readonly kind?: 'number' | 'text' | 'lines'
}

/** Renders a table of a page that stands alone; empty: there are no rows. */
export function htmlTable<Row>(columns: readonly Column<Row>[], rows: readonly Row[], caption = ''): Html | '' {
  if (rows.length === 0) return ''
  return html`<div class="scroll" tabindex="0"><table>
${caption === '' ? '' : html`<caption><span>${caption}</span></caption>\n`}<thead><tr>${columns.map(({ head, kind }) => html`<th scope="col"${classOf(kind)}>${head}</th>`)}</tr></thead>
<tbody>
${rows.map((row) => html`<tr>${columns.map(({ cell, kind }) => html`<td${classOf(kind)}>${cell(row)}</td>`)}</tr>\n`)}</tbody>
</table></div>`
}

const classOf = (kind: string | undefined): Html | '' => (kind === undefined ? '' : html` class="${kind}"`)

/** A format of a text in a terminal. */
type Format = 'bold' | 'dim' | 'green' | 'yellow' | 'red'

/** Formats text for a terminal, or leaves it as it is. */
export type Style = (format: Format, text: string) => string

/** A column of a table in a terminal. */
export interface TerminalColumn<Row> extends Column<Row, string> {
  /** The format of the cell; as it is unless told otherwise. */
  readonly format?: (row: Row) => Format
}

/** Writes a table as lines for a terminal: its headings, then the rows, in columns of equal width. */
export function terminalTable<Row>(
  columns: readonly TerminalColumn<Row>[],
  rows: readonly Row[],
  style: Style = (_, text) => text,
): readonly string[] {
  const cells = rows.map((row) => columns.map(({ cell }) => cell(row)))
  const widths = columns.map(({ head }, at) => Math.max(head.length, ...cells.map((row) => row[at]?.length ?? 0)))
  const padded = (text: string, at: number): string =>
    columns[at]?.kind === 'number' ? text.padStart(widths[at] ?? 0) : text.padEnd(widths[at] ?? 0)
  const lineOf = (row: Row, texts: readonly string[]): string =>
    columns
      .map(({ format }, at) => {
        const text = padded(texts[at] ?? '', at)
        return format === undefined ? text : style(format(row), text)
      })
      .join('  ')
  const headings = columns.map(({ head }, at) => padded(head, at)).join('  ')
  return [style('dim', headings.trimEnd()), ...rows.map((row, at) => lineOf(row, cells[at] ?? []).trimEnd())]
}
