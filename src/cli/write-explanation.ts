import { whyInWords } from '../common/line-basis.ts'
import type { Style } from '../common/tables.ts'
import type { ExplainedCall, ExplainedRefusal } from '../guide/explain/explain-call.ts'
import type { ExplainedRequest } from '../guide/explain/explain-requests.ts'
import type { ExplainedLine } from '../guide/lines/explained-line.ts'
import { printable } from './printing.ts'

/** A call with the lines to show, and the v1 method and path of its operation, if v1 has it. */
type ShownCall = ExplainedCall & { readonly v1: { readonly method: string; readonly path: string } | undefined }

/**
 * Writes an explained call as text for a terminal. Commands start at the left edge and are not wrapped, so that they
 * can be copied.
 * @param hidden the number of lines that are not shown.
 */
export function writeExplanation(call: ShownCall, hidden: number, style: Style): string {
  const { operation, says, legacy, requests, refusal, dropped, lines, v1 } = call
  return [
    style('bold', printable(`${legacy.method} ${legacy.path}`)) + (operation === null ? '' : ` (${operation})`),
    // The requests themselves show method and path.
    ...(requests.length > 0 || v1 === undefined ? [] : [`v1: ${v1.method} ${v1.path}`]),
    ...(says === null ? [] : wrap(says, WIDTH)),
    ...(refusal === undefined ? [] : writeRefusal(refusal, style)),
    ...requests.flatMap((request, index) => writeRequest(request, index, requests.length, style)),
    ...(call.then === undefined ? [] : ['', ...wrap(call.then, WIDTH)]),
    ...(dropped.length === 0 ? [] : ['', ...wrap(`Not sent: ${dropped.map(printable).join(', ')}`, WIDTH)]),
    ...PARTS.flatMap((part) => writeLines(part, lines, legacy.method, style)),
    ...(hidden === 0 ? [] : ['', style('dim', `${hidden} more ${hidden === 1 ? 'line' : 'lines'} with --all`)]),
    '',
  ].join('\n')
}

const PARTS = ['request', 'header', 'answer', 'error'] as const

function writeRefusal({ status, body, why }: ExplainedRefusal, style: Style): readonly string[] {
  return [
    '',
    style('red', `Refused with ${status}; v1 is not asked.`),
    ...why.flatMap((sentence) => indented(sentence, 2)),
    `The client gets: ${JSON.stringify(body)}`,
  ]
}

function writeRequest(
  { method, url, headers, body, curl }: ExplainedRequest,
  index: number,
  count: number,
  style: Style,
): readonly string[] {
  return [
    '',
    style('bold', count === 1 ? 'v1 request' : `v1 request ${index + 1}`),
    `${method} ${url}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === null ? [] : ['', body]),
    '',
    curl,
  ]
}

/** The width of the output in columns. */
const WIDTH = 100
/** The widths of the columns legacy, v1 and change. The basis takes the rest. */
const COLUMNS = [34, 34, 13] as const
const GAP = '  '

const COLOURS = { documented: 'green', assumed: 'yellow', lost: 'red', corrected: 'green' } as const
const HEADINGS = { request: 'Request', header: 'Headers', answer: 'Answer', error: 'Errors' } as const

/**
 * Writes the lines of one part as a table, with their details below each row. Members that are the same on both sides
 * are only listed. `method` is the method of the legacy call: the root of a GET is its query.
 */
function writeLines(
  part: ExplainedLine['part'],
  all: readonly ExplainedLine[],
  method: string,
  style: Style,
): readonly string[] {
  const root = part === 'request' && method === 'GET' ? '(query)' : '(body)'
  const lines = all.filter((line) => line.part === part)
  if (lines.length === 0) return []
  const different = lines.filter((line) => !isPlain(line))
  const same = lines.filter(isPlain).map(({ legacy }) => legacy ?? '')
  return [
    '',
    style('bold', HEADINGS[part]),
    style('dim', row(['legacy', 'v1', 'change'], 'basis')),
    ...different.flatMap((line, index) => writeLine(line, different[index - 1], root, style)),
    ...(same.length === 0 ? [] : indented(`The same on both sides: ${same.join(', ')}`, 2)),
  ]
}

/** Whether a line has nothing to show but its name. */
const isPlain = ({ change, basis, says, reason }: ExplainedLine): boolean =>
  change === 'same' && basis === 'documented' && says === null && reason === null

function writeLine(
  line: ExplainedLine,
  above: ExplainedLine | undefined,
  root: string,
  style: Style,
): readonly string[] {
  const { legacy, v1, change, basis } = line
  const cells = [legacy === '' ? root : (legacy ?? '-'), v1 === '' ? '(body)' : (v1 ?? '-'), change].map(
    (cell, column) => wrap(cell, COLUMNS[column] ?? WIDTH),
  )
  const height = Math.max(...cells.map(({ length }) => length))
  const rows = Array.from({ length: height }, (_, index) =>
    row(
      cells.map((cell) => cell[index] ?? ''),
      index === 0 ? style(COLOURS[basis], basis) : '',
    ),
  )
  return [...rows, ...details(line, above).flatMap((text) => indented(text, 6).map((part) => style('dim', part)))]
}

/** Returns what a line says, and why. Does not repeat what the line above has said. */
function details(line: ExplainedLine, above: ExplainedLine | undefined): readonly string[] {
  const { says } = line
  const reason = whyInWords(line)
  const why = reason === null ? [] : [`why: ${reason}`]
  if (reason === null || above === undefined || reason !== whyInWords(above))
    return [...(says === null ? [] : [says]), ...why]
  return says === null || says === above.says ? ['as above'] : [says, 'why: as above']
}

function row(cells: readonly string[], last: string): string {
  return `${GAP}${cells.map((cell, column) => cell.padEnd(COLUMNS[column] ?? 0)).join(GAP)}${GAP}${last}`.trimEnd()
}

/** Wraps text into lines that are indented by `by` columns. */
function indented(text: string, by: number): readonly string[] {
  return wrap(text, WIDTH - by).map((line) => `${' '.repeat(by)}${line}`)
}

/** Breaks text into lines of at most `width` characters: between words, within paths after dots, otherwise anywhere. */
function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/(?<=\s)/)) {
    for (const piece of word.trimEnd().length > width ? broken(word, width) : [word]) {
      if (line !== '' && line.length + piece.trimEnd().length > width) {
        lines.push(line.trimEnd())
        line = ''
      }
      line += piece
    }
  }
  return [...lines, line.trimEnd()]
}

/** Breaks a word into pieces that fit: after dots if it has any, otherwise anywhere. */
function broken(word: string, width: number): readonly string[] {
  return word.split(/(?<=\.)/).flatMap((part) => part.match(new RegExp(`.{1,${width}}`, 'gsu')) ?? [])
}
