/** The text of a page without its tags, with white space collapsed. */
export function textOf(html: string): string {
  const body = html.slice(html.indexOf('<main')).replaceAll(/<option[\s\S]*?<\/option>/g, '')
  const plain = body.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
  return plain.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&')
}

/** The rows of a table by its id, each cell as text. */
export function rowsOf(html: string, id: string): readonly (readonly string[])[] {
  const start = html.indexOf(`<table id="${id}"`)
  const table = start === -1 ? '' : html.slice(start, html.indexOf('</table>', start))
  const body = table.slice(table.indexOf('<tbody'))
  return Array.from(body.matchAll(/<tr[^>]*>([\s\S]*?)<\/tr>/g), ([, row = '']) =>
    Array.from(row.matchAll(/<t[hd][^>]*>([\s\S]*?)<\/t[hd]>/g), ([, cell = '']) => textOf(`<main>${cell}`).trim()),
  )
}

/** The rows of the page Switch-off about operations: those that a plan moves, then the others. */
export const stagesOf = (html: string): readonly (readonly string[])[] =>
  ['stages', 'stages-at-rest'].flatMap((id) => rowsOf(html, id))

/** The commands that reproduce differences, as copied from the page. */
export function commandsOf(html: string, summary = 'as curl'): readonly string[] {
  return Array.from(
    html.matchAll(new RegExp(`<summary>${summary}</summary><pre>([^<]*)</pre>`, 'g')),
    ([, text = '']) => text.replaceAll(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => ENTITIES[name] ?? ''),
  )
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' }
