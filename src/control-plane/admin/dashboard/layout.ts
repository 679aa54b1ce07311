import type { Context } from 'hono'
import { html } from 'hono/html'
import type { Html } from '../../../common/tables.ts'
import { time } from './fragments.ts'
import { meanings } from './words-page.ts'

export interface Page {
  readonly title: string
  /** The path of its section in the navigation; undefined if it belongs to none. */
  readonly section?: string
  /** 200 unless told otherwise. */
  readonly status?: Status
  readonly content: Html
}

const SECTIONS = [
  ['/', 'Switch-off'],
  ['/traffic', 'Traffic'],
  ['/clients', 'Clients'],
  ['/side-by-side', 'Side by side'],
  ['/explain', 'Explain'],
  ['/mappings', 'Mappings'],
  ['/rollout', 'Rollout'],
  ['/audit', 'Audit'],
  ['/fleet', 'Fleet'],
] as const

/**
 * Pages load only the gateway's own files, must not be framed, and must not be cached. Other origins learn no path. `no-referrer`
 * would not do, because forms would then send `Origin: null` to the gateway itself.
 */
const HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
}

/** The pages with numbers, and without a form that changes something. */
const RENEWED = /^\/(?:$|traffic|clients|side-by-side|rollout|audit|brownouts|fleet)/

export type Status = 200 | 400 | 403 | 404 | 409 | 413 | 503

export async function answerPage(c: Context, page: Page, status = page.status ?? 200): Promise<Response> {
  const path = new URL(c.req.url).pathname
  const around: Around = {
    warnings: (await c.get('warnings')?.()) ?? '',
    services: (await c.get('services')?.()) ?? '',
    meanings: meanings(`${await page.content}`),
    path,
    isRenewed: c.req.method === 'GET' && status === 200 && RENEWED.test(path),
  }
  return c.html(document(page, around), status, HEADERS)
}

const ICON =
  'data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 16 16%22%3E%3Crect width=%2216%22 height=%2216%22 rx=%223%22 fill=%22%230b5c7d%22/%3E%3Cpath d=%22M4 4v8M12 4v8M4 8h8%22 stroke=%22white%22 stroke-width=%221.6%22/%3E%3C/svg%3E'

interface Around {
  readonly warnings: Html | ''
  readonly services: Html | ''
  readonly meanings: Html | ''
  readonly path: string
  /** Whether the page renews itself when its numbers have changed. */
  readonly isRenewed: boolean
}

function document({ title, section, content }: Page, { warnings, services, meanings, path, isRenewed }: Around): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title} – legacy-gateway</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="${ICON}">
<link rel="stylesheet" href="/assets/uplot.css">
<link rel="stylesheet" href="/assets/style.css">
<script src="/assets/uplot.js" defer></script>
<script src="/assets/plots.js" defer></script>
<script src="/assets/times.js" defer></script>${
    isRenewed
      ? html`
<script src="/assets/refresh.js" defer></script>`
      : ''
  }
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header>
<p class="brand">legacy-gateway</p>
<nav aria-label="Pages"><details class="menu"><summary>${SECTIONS.find(([href]) => href === section)?.[1] ?? 'Pages'}<span class="more"> and all pages</span></summary></details><ul>${SECTIONS.map(([href, name]) => link(href, name, section, path))}</ul></nav>
</header>
<main id="content" tabindex="-1">
${warnings}
${content}
${meanings}</main>
<footer>
${services}
<p><strong>As of</strong> ${time(Date.now())}. <span class="renewal"></span><span class="zone">All times are UTC.</span> <a href="/words">Words</a> says what the terms of these pages mean.</p>
<p>For programs: <a href="/experiments">/experiments</a>, <a href="/proposals">/proposals</a>, <a href="/cutover">/cutover</a>, <code>/audit</code>, <code>/clients</code>, <a href="/replicas">/replicas</a>, <a href="/metrics">/metrics</a>,
<a href="/openapi.json">/openapi.json</a>, <a href="/openapi-v1.json">/openapi-v1.json</a>, <a href="/postman.json">/postman.json</a>, <code>/dossier</code>, and <code>POST /explain</code> with JSON.</p>
</footer>
</body>
</html>`
}

/** Renders a link of the navigation. `aria-current` is `page` on the section's own page, and `true` on pages beneath it. */
function link(href: string, name: string, section: string | undefined, path: string): Html {
  const current = href === section ? html` aria-current="${href === path ? 'page' : 'true'}"` : ''
  return html`<li><a href="${href}"${current}>${name}</a></li>`
}

/** Whitespace before JSON (RFC 8259 section 2), and the beginning of an object. */
const OBJECT = /^[ \t\r\n]*\{/

/** Whether a browser has sent a form, by its content type. */
export const isForm = (c: Context): boolean =>
  c.req.header('content-type')?.toLowerCase().startsWith('application/x-www-form-urlencoded') === true

/**
 * Reads a form as a browser sends it, and leaves the body for other handlers; undefined if the body is not a form. `curl -d` labels
 * JSON as a form too, but a real form encodes braces.
 */
export async function readForm(c: Context): Promise<URLSearchParams | undefined> {
  if (!isForm(c)) return undefined
  const form = await c.req.raw.clone().text()
  return OBJECT.test(form) ? undefined : new URLSearchParams(form)
}

/** Whether a browser asks for a page. At the same path, programs may get JSON. */
export const wantsPage = (c: Context): boolean => c.req.header('accept')?.includes('text/html') === true

/** Answers 404: with a page for browsers, with JSON for all other clients. */
export function answerNotFound(c: Context): Response | Promise<Response> {
  if (!wantsPage(c)) return c.json({ message: 'No such path.' }, 404)
  const content = html`<h1>Not found</h1>
<p class="lead">No such page. The navigation above lists all pages.</p>`
  return answerPage(c, { title: 'Not found', content }, 404)
}
