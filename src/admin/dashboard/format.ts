import { html } from 'hono/html'
import type { Html } from './layout.ts'

const WHOLE = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })

/** Formats a whole number: `12,345`. */
export const count = (value: number): string => WHOLE.format(value)

/** Formats a share of 0 to 1: `99.98 %`. Rounds down, so that only 1 reads as 100 %. */
export function percent(share: number): string {
  // Compensates for floating point: 0.29 × 10,000 is 2,899.99…, which must not become 28.99 %.
  const hundredths = Math.floor(share * 10_000 + 1e-6)
  return `${(hundredths / 100).toFixed(hundredths % 100 === 0 ? 0 : 2)} %`
}

/** Formats a duration: `0.8 ms`, `12 ms`, `1.25 s`; a dash for none. */
export function duration(milliseconds: number | undefined): string {
  if (milliseconds === undefined) return '–'
  if (milliseconds < 10) return `${milliseconds.toFixed(1)} ms`
  return milliseconds < 1_000 ? `${milliseconds.toFixed(0)} ms` : `${(milliseconds / 1_000).toFixed(2)} s`
}

/** Renders a time as `2025-01-31 10:24:19`, in UTC. */
export function time(at: number | string): Html {
  const iso = new Date(at).toISOString()
  return html`<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 19)}</time>`
}

const LONGEST = 2_000

/** Cuts a long text. */
export const clipped = (text: string): string =>
  text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}… (${count(text.length - LONGEST)} more characters)`

/** Renders a path in a body, or a name, as code; a dash for none; `whole` for the root. */
export function place(path: string | null, whole = 'the whole body'): Html {
  if (path === null) return html`<span class="quiet">–</span>`
  return path === '' ? html`${whole}` : html`<code>${path}</code>`
}
