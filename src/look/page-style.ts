import { readFileSync } from 'node:fs'

/** The style of every page: of the dashboard, of reports and of the dossier. A page that stands alone holds it. */
export const PAGE_STYLE: string = readFileSync(new URL('style.css', import.meta.url), 'utf8')
