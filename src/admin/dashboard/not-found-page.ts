import type { Context } from 'hono'
import { html } from 'hono/html'
import { wantsPage } from './forms.ts'
import { answerPage } from './layout.ts'

/** Answers 404: with a page for browsers, with JSON for all other clients. */
export function answerNotFound(c: Context): Response | Promise<Response> {
  if (!wantsPage(c)) {
    return c.json({ message: 'No such path.' }, 404)
  }
  const content = html`<h1>Not found</h1>
<p class="lead">No such page. The navigation above lists all pages.</p>`
  return answerPage(c, { title: 'Not found', content }, 404)
}
