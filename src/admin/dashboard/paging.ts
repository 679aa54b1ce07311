import { html } from 'hono/html'
import { count } from '../../common/figures.ts'
import type { Html } from './layout.ts'

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
