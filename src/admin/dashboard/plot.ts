import { html } from 'hono/html'
import type { Html } from './layout.ts'

interface Plot {
  readonly title: string
  /** The id of a table with a row per minute, named by its time, and `data` elements that hold the plain numbers. */
  readonly table: string
  /** Which of the table's columns are drawn, the first one filled; the time is number 0. */
  readonly columns: readonly number[]
  /** What a minute that is not in the table, or has no number, means. */
  readonly missing: 'zero' | 'gap'
  readonly unit: '' | 'ms'
  /** When the first and the last minute begin, in milliseconds since the epoch. */
  readonly from: number
  readonly to: number
}

/** A plot that `plots.js` draws from a table; without scripts nothing stands in its place, and the table says the same. */
export function plot({ title, table, columns, missing, unit, from, to }: Plot): Html {
  return html`<figure class="plot" hidden data-table="${table}" data-columns="${columns.join(' ')}" data-missing="${missing}"
 data-unit="${unit}" data-from="${from / 1_000}" data-to="${to / 1_000}">
<figcaption>${title}</figcaption>
<div class="canvas" aria-hidden="true"></div>
</figure>`
}
