import { html } from 'hono/html'
import { count } from '../../common/figures.ts'
import type { Html } from './layout.ts'

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
