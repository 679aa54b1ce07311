import { html } from 'hono/html'
import type { Html } from '../../../common/tables.ts'

interface Plot {
  readonly title: string
  /** The id of a table with one row per minute or day, headed by its time; `data` elements hold the plain numbers. */
  readonly table: string
  /** The indices of the columns to draw, the first one filled. Column 0 is the time. */
  readonly columns: readonly number[]
  /** How to draw a time that has no row or no number. */
  readonly missing: 'zero' | 'gap'
  readonly unit: '' | 'ms' | '%'
  readonly step: 'minute' | 'day'
  /** The beginnings of the first and the last step, in milliseconds since the epoch. */
  readonly from: number
  readonly to: number
}

/** Renders a plot, which `plots.js` draws from a table. Without scripts it stays hidden; the table has the same numbers. */
export function plot({ title, table, columns, missing, unit, step, from, to }: Plot): Html {
  return html`<figure class="plot" hidden data-table="${table}" data-columns="${columns.join(' ')}" data-missing="${missing}"
 data-unit="${unit}" data-step="${step}" data-from="${from / 1_000}" data-to="${to / 1_000}">
<figcaption>${title}</figcaption>
<div class="canvas" aria-hidden="true"></div>
</figure>`
}

/** Renders a number of a table so that `plots.js` can read it. */
export const plotted = (value: number, shown: string): Html => html`<data value="${value}">${shown}</data>`
