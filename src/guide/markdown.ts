/** Characters that could be markup in CommonMark or GitHub's tables. A backslash before any of these makes it plain (CommonMark 2.4). */
const MARKUP = /[\\`*_[\]<>&#|~!$]/g
/** The beginning of a list or a heading, or the line under one. */
const AT_START = /^(\d{1,9})?([-+=.)])/

const onOneLine = (text: string): string => text.replaceAll(/[\p{Cc}\u2028\u2029\s]+/gu, ' ').trim()

/** Writes any text on one line, so that nothing in it is taken for markup. */
export const plain = (text: string): string => notAList(escaped(onOneLine(text)))

const escaped = (text: string): string => text.replaceAll(MARKUP, '\\$&')
const notAList = (text: string): string =>
  text.replace(AT_START, (_, digits: string | undefined, mark: string) => `${digits ?? ''}\\${mark}`)

/** Escapes a text of ours for a cell of a table, or any other place. It may have code between backticks. */
export const cell = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('|', '\\|').replaceAll(/\s+/g, ' ')

/** Writes a text as code, on one line. Escapes bars, because GitHub ends a cell at a bar even in code. */
export const code = (text: string): string => span(text).replaceAll('|', '\\|')

function span(text: string): string {
  const line = onOneLine(text)
  const fence = '`'.repeat(longestRun(line) + 1)
  const room = /^`|`$/.test(line) || line === '' ? ' ' : ''
  return `${fence}${room}${line}${room}${fence}`
}

/** Writes on one line a text that has code between backticks. */
export const inline = (text: string): string =>
  notAList(
    text
      .split('`')
      .map((part, at) => (at % 2 === 1 ? span(part) : escaped(part.replaceAll(/\s+/g, ' '))))
      .join(''),
  )

/** Writes a block of code. Its fence is longer than any within it. */
export function block(language: string, text: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1))
  return `${fence}${language}\n${text.replace(/\n+$/, '')}\n${fence}`
}

const longestRun = (text: string): number => Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length))

/** Writes a table in GitHub's Markdown. Its cells are Markdown already. Empty if there are no rows. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  if (rows.length === 0) return []
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [[line(header), line(header.map(() => '---')), ...rows.map(line)].join('\n')]
}
