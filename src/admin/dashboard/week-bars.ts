import { html, raw } from 'hono/html'
import { count } from '../../common/figures.ts'
import type { Html } from './layout.ts'

const BAR = 5
const STEP = 7
const HEIGHT = 20

/** Draws the calls of each week as bars, the oldest first. The numbers are its text alternative. */
export function weekBars(weeks: readonly number[]): Html {
  const most = Math.max(1, ...weeks)
  const width = weeks.length * STEP - (STEP - BAR)
  const bars = weeks.map((calls, index) => {
    // A week with any calls at all stays visible.
    const height = calls === 0 ? 0 : Math.max(2, Math.round((calls / most) * (HEIGHT - 1)))
    return height === 0 ? '' : `M${index * STEP} ${HEIGHT - 1}v${-height}h${BAR}v${height}z`
  })
  return html`<svg class="weeks" role="img" aria-label="Calls per week, the oldest first: ${weeks.map(count).join('; ')}" viewBox="0 0 ${width} ${HEIGHT}" width="${width}" height="${HEIGHT}"><path class="base" d="M0 ${HEIGHT - 0.5}h${width}"/><path d="${raw(bars.join(''))}"/></svg>`
}
