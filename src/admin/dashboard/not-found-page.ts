import type { Context } from 'hono'
import { html } from 'hono/html'
import { answerPage } from './layout.ts'

/** 404: a page for a browser, JSON for everybody else. */
export function answerNotFound(c: Context): Response | Promise<Response> {
  if (c.req.header('accept')?.includes('text/html') !== true) {
    return c.json({ message: 'There is no such path.' }, 404)
  }
  const content = html`<h1>Not found</h1>
<p class="lead">There is no such page. What there is stands in the navigation above.</p>`
  return answerPage(c, { title: 'Not found', content }, 404)
}
