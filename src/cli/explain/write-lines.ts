import type { Style } from '../../common/tables.ts'
import type { ExplainedLine } from '../../guide/lines/explain.ts'
import { wrap } from './wrap.ts'

/** The width of the output in columns. */
export const WIDTH = 100
/** The widths of the columns legacy, v1 and change. The basis takes the rest. */
const COLUMNS = [34, 34, 13] as const
const GAP = '  '

const COLOURS = { documented: 'green', assumed: 'yellow', lost: 'red' } as const
const HEADINGS = { request: 'Request', header: 'Headers', answer: 'Answer', error: 'Errors' } as const

/**
 * Writes the lines of one part as a table, with their details below each row. Members that are the same on both sides
 * are only listed. `method` is the method of the legacy call: the root of a GET is its query.
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
function details({ says, reason }: ExplainedLine, above: ExplainedLine | undefined): readonly string[] {
  const why = reason === null ? [] : [`why: ${reason}`]
  if (reason === null || reason !== above?.reason) return [...(says === null ? [] : [says]), ...why]
  return says === null || says === above.says ? ['as above'] : [says, 'why: as above']
}

function row(cells: readonly string[], last: string): string {
  return `${GAP}${cells.map((cell, column) => cell.padEnd(COLUMNS[column] ?? 0)).join(GAP)}${GAP}${last}`.trimEnd()
}

/** Wraps text into lines that are indented by `by` columns. */
export function indented(text: string, by: number): readonly string[] {
  return wrap(text, WIDTH - by).map((line) => `${' '.repeat(by)}${line}`)
}
