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

/** A text that has code between backticks, and links to parts of the document as in Markdown, piece by piece. */
export const piecesOf = (text: string): readonly Piece[] =>
  text.split(/(`[^`]*`|\[[^\][`]*\]\(#[\w-]+\))/).map((piece): Piece => {
    const [, code] = /^`(.*)`$/s.exec(piece) ?? []
    if (code !== undefined) return { kind: 'code', text: code }
    const [, label = '', to] = /^\[(.*)\]\(#(.*)\)$/s.exec(piece) ?? []
    return to === undefined ? { kind: 'text', text: piece } : { kind: 'link', text: label, to }
  })

type Piece = { readonly kind: 'code' | 'text'; readonly text: string } | Link
interface Link {
  readonly kind: 'link'
  readonly text: string
  /** The id of a part. */
  readonly to: string
}

/** Writes such a text on one line. */
export const inline = (text: string): string => notAList(piecesOf(text).map(pieceMarkdown).join(''))

function pieceMarkdown(piece: Piece): string {
  if (piece.kind === 'code') return span(piece.text)
  const text = escaped(piece.text.replaceAll(/\s+/g, ' '))
  return piece.kind === 'link' ? `[${text}](#${piece.to})` : text
}

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
