import { readFileSync } from 'node:fs'
import { html, raw } from 'hono/html'

/** The style of all pages: the dashboard, reports and the dossier. Pages that stand alone include it. */
export const PAGE_STYLE: string = readFileSync(new URL('style.css', import.meta.url), 'utf8')

/**
 * Renders a page that looks like the dashboard, as one file. It loads nothing, runs no script, fits a phone and can be printed.
 * @param style the page's own rules, added to those of all pages.
 */
export const pageAlone = (title: string, style: string, content: ReturnType<typeof html>): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${raw(PAGE_STYLE)}${raw(style)}</style>
</head>
<body>
<header><p class="brand">legacy-gateway</p></header>
<main>
${content}
</main>
</body>
</html>
`.toString()
