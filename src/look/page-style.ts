import { readFileSync } from 'node:fs'

/** The style of all pages: the dashboard, reports and the dossier. Pages that stand alone include it. */
export const PAGE_STYLE: string = readFileSync(new URL('style.css', import.meta.url), 'utf8')
