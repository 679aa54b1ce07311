/** Escapes a text for a cell of a table, or any other place in Markdown. */
export const cell = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('|', '\\|').replaceAll(/\s+/g, ' ')

/** Formats a text as code. Escapes bars, because GitHub ends a cell at a bar even in code. */
export function code(text: string): string {
  const fence = text.includes('`') ? '``' : '`'
  const room = fence.length > 1 ? ' ' : ''
  return `${fence}${room}${text.replaceAll('|', '\\|')}${room}${fence}`
}

/** Writes a table in GitHub's Markdown. Its cells are Markdown already. Empty if there are no rows. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  if (rows.length === 0) return []
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [[line(header), line(header.map(() => '---')), ...rows.map(line)].join('\n')]
}
