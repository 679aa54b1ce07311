import { html } from 'hono/html'
import type { Html } from './layout.ts'

interface Plot {
  readonly title: string
  /** The id of a table with one row per minute, headed by its time; `data` elements hold the plain numbers. */
  readonly table: string
  /** The indices of the columns to draw, the first one filled. Column 0 is the time. */
  readonly columns: readonly number[]
  /** How to draw a minute that has no row or no number. */
  readonly missing: 'zero' | 'gap'
  readonly unit: '' | 'ms'
  /** The beginnings of the first and the last minute, in milliseconds since the epoch. */
  readonly from: number
  readonly to: number
}

/** Renders a plot, which `plots.js` draws from a table. Without scripts it stays hidden; the table has the same numbers. */
export function plot({ title, table, columns, missing, unit, from, to }: Plot): Html {
  return html`<figure class="plot" hidden data-table="${table}" data-columns="${columns.join(' ')}" data-missing="${missing}"
 data-unit="${unit}" data-from="${from / 1_000}" data-to="${to / 1_000}">
<figcaption>${title}</figcaption>
<div class="canvas" aria-hidden="true"></div>
</figure>`
}
