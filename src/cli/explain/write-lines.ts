import type { ExplainedLine } from '../../guide/lines/explain.ts'
import { wrap } from './wrap.ts'

/** Marks up text for a terminal, or leaves it as it is. */
export type Style = (format: 'bold' | 'dim' | 'green' | 'yellow' | 'red', text: string) => string

/** A terminal of 100 columns. */
export const WIDTH = 100
/** Legacy, v1 and the change; the basis takes what is left. */
const COLUMNS = [34, 34, 13] as const
const GAP = '  '

const COLOURS = { documented: 'green', assumed: 'yellow', lost: 'red' } as const
const HEADINGS = { request: 'Request', header: 'Headers', answer: 'Answer', error: 'Errors' } as const

/**
 * The lines of one part as a table, what they say beneath each; what is the same on both sides is only listed. `method` is
 * that of the legacy call: the root of a GET is its query.
 */
export function writeLines(
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

/** Whether there is nothing to say of a line but that it is there. */
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

/** What a line says and why; what it shares with the line above is not repeated. */
function details({ says, reason }: ExplainedLine, above: ExplainedLine | undefined): readonly string[] {
  const why = reason === null ? [] : [`why: ${reason}`]
  if (reason === null || reason !== above?.reason) return [...(says === null ? [] : [says]), ...why]
  return says === null || says === above.says ? ['as above'] : [says, 'why: as above']
}

function row(cells: readonly string[], last: string): string {
  return `${GAP}${cells.map((cell, column) => cell.padEnd(COLUMNS[column] ?? 0)).join(GAP)}${GAP}${last}`.trimEnd()
}

/** Text in as many lines as it takes, `by` columns from the left. */
export function indented(text: string, by: number): readonly string[] {
  return wrap(text, WIDTH - by).map((line) => `${' '.repeat(by)}${line}`)
}
