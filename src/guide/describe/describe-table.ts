/** Text as it may stand in a cell of a table, or anywhere else in Markdown. */
export const cell = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('|', '\\|').replaceAll(/\s+/g, ' ')

/** Text as code; GitHub takes a bar in a table for the end of a cell even there. */
export function code(text: string): string {
  const fence = text.includes('`') ? '``' : '`'
  const room = fence.length > 1 ? ' ' : ''
  return `${fence}${room}${text.replaceAll('|', '\\|')}${room}${fence}`
}

/** A table of GitHub's Markdown; its cells are Markdown already. Nothing where there are no rows. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  if (rows.length === 0) return []
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [[line(header), line(header.map(() => '---')), ...rows.map(line)].join('\n')]
}
