import { isLoss, whyInWords } from '../../common/line-basis.ts'
import type { CompiledOperation } from '../../engine/compile/compile-operations.ts'
import type { Operation } from '../../mapping/operation.ts'
import { exampleAnswer, exampleRequest, type Translated } from '../examples/translated.ts'
import { lawsOf } from '../laws/laws.ts'
import { explain } from '../lines/explain.ts'
import { ownErrorLines } from '../lines/explain-errors.ts'
import { changeInWords, type ExplainedLine } from '../lines/explained-line.ts'
import { block, cell, code, table } from '../markdown.ts'

/** Returns the lines of a mapping without those about headers and errors that hold for every operation. */
const ownLines = (operation: Operation): readonly ExplainedLine[] => [
  ...explain(operation).filter(({ part }) => part === 'request' || part === 'answer'),
  ...ownErrorLines(operation),
]

/** Returns how many of an operation's own lines are assumed, and lost. */
export function uncertainLines(operation: Operation): { readonly assumed: number; readonly lost: number } {
  const lines = ownLines(operation)
  return { assumed: lines.filter(({ basis }) => basis === 'assumed').length, lost: lines.filter(isLoss).length }
}

/** Describes one operation, as blocks of Markdown for its section of the reference. */
export function describeOperation(operation: CompiledOperation, all: readonly CompiledOperation[]): readonly string[] {
  const { id, says, legacy, v1, effect, authorization } = operation.mapping
  return [
    `## ${id}`,
    cell(says),
    [
      `${code(`${legacy.method} ${legacy.path}`)} → ${v1 === undefined ? 'no equivalent in v1' : code(`${v1.method} ${v1.path}`)}`,
      `a ${effect}`,
      authorization === 'token' ? 'token required' : 'no token required',
    ].join(' · '),
    ...describeChanges(operation.mapping, {
      request: exampleRequest(operation),
      answer: exampleAnswer(operation, all),
    }),
    ...section(
      'Laws',
      table(
        ['There and back', 'Result'],
        lawsOf(operation.mapping).map(({ law, says }) => [law, cell(says)]),
      ),
    ),
  ]
}

/** Describes what an operation's request, answer and errors become, and why, as blocks of Markdown. */
export function describeChanges(
  operation: Operation,
  examples: { readonly request?: Translated | undefined; readonly answer?: Translated | undefined } = {},
): readonly string[] {
  const lines = ownLines(operation)
  const of = (part: ExplainedLine['part']) => lines.filter((line) => line.part === part)
  const isStatus = ({ change }: ExplainedLine): boolean => change === 'status'
  const wholeRequest = operation.request.kind === 'query-parameters' ? 'the query' : 'the body'
  return [
    ...section('Request', describeLines(of('request'), wholeRequest), examples.request),
    ...section(
      'Answer',
      [
        ...describeStatus(operation),
        ...describeLines(
          of('answer').filter((line) => !isStatus(line)),
          'the body',
        ),
      ],
      examples.answer,
    ),
    ...section('Errors', describeErrorLines(of('error'))),
    ...section('Lost', describeReasons(lines, 'lost')),
    ...section('Assumed', describeReasons(lines, 'assumed')),
  ]
}

function section(title: string, blocks: readonly string[], example?: Translated): readonly string[] {
  if (blocks.length === 0) return []
  return [`### ${title}`, ...blocks, ...(example === undefined ? [] : [describeExample(example)])]
}

/** Writes a table of the lines that change something, and the names of the other members. */
function describeLines(lines: readonly ExplainedLine[], whole: string): readonly string[] {
  const isSame = ({ change, says, basis, reason }: ExplainedLine): boolean =>
    change === 'same' && basis === 'documented' && says === null && reason === null
  const place = (path: string | null): string => (path === null ? '—' : path === '' ? whole : code(path))
  const rows = lines
    .filter((line) => !isSame(line))
    .map((line) => [
      place(line.legacy),
      place(line.v1),
      cell(changeInWords(line)),
      line.basis,
      cell(whyInWords(line) ?? ''),
    ])
  const same = lines.filter(isSame).map(({ legacy }) => code(legacy ?? ''))
  return [
    ...table(['Legacy', 'v1', 'What happens', 'Basis', 'Why'], rows),
    ...(same.length === 0 ? [] : [`Under the same name in v1: ${same.join(', ')}.`]),
  ]
}

function describeStatus(operation: Operation): readonly string[] {
  const { response } = operation
  if (!('status' in response)) {
    return ['Request and answer pass through unchanged, to and from the legacy service, as long as there is one.']
  }
  const line = explain(operation).find(({ part, change }) => part === 'answer' && change === 'status')
  const v1 = line === undefined ? response.status : line.v1
  const why = line?.reason === null || line === undefined ? '' : ` (${line.basis}: ${cell(line.reason)})`
  const what = response.kind === 'no-content' ? ', without a body' : ''
  return [`A success is ${response.status} in legacy${what}, and ${v1} in v1${why}.`]
}

function describeErrorLines(lines: readonly ExplainedLine[]): readonly string[] {
  const rows = lines.map(({ legacy, v1, says, basis, reason }) => [
    code(v1 ?? ''),
    legacy ?? 'by v1’s status',
    cell(says ?? ''),
    basis,
    cell(reason ?? ''),
  ])
  return [
    ...table(['v1’s code', 'Legacy status', 'What happens', 'Basis', 'Why'], rows),
    ...(rows.length === 0 ? [] : ['For all other codes, see [Errors](#errors).']),
  ]
}

/** Lists what is lost or assumed, grouped by reason. */
function describeReasons(lines: readonly ExplainedLine[], basis: 'lost' | 'assumed'): readonly string[] {
  const places = new Map<string, Set<string>>()
  for (const line of lines) {
    if (!(basis === 'lost' ? isLoss(line) : line.basis === basis) || line.reason === null) continue
    places.set(line.reason, (places.get(line.reason) ?? new Set()).add(subjectOf(line)))
  }
  const items = [...places].map(([reason, subjects]) => `- ${[...subjects].join(', ')}: ${cell(reason)}`)
  return items.length === 0 ? [] : [items.join('\n')]
}

/** Names the subject of a line: a path, or what happens if the line is about the whole body. */
function subjectOf({ legacy, v1, change, says }: ExplainedLine): string {
  if (change === 'status' && legacy !== null) return `the status ${legacy}`
  if (legacy === '' || (legacy ?? v1 ?? '') === '') return cell(says ?? change)
  if (change === 'passed on' || change === 'left out') return `other members of ${code(legacy ?? '')}`
  return `${code(legacy ?? v1 ?? '')}${change === 'removed value' ? ` (${cell(says ?? '')})` : ''}`
}

function describeExample({ legacy, v1 }: Translated): string {
  const message = (side: string, { line, body }: Translated['v1']): readonly string[] => [
    [side, ...(line === '' ? [] : [code(line)])].join(' '),
    ...(body === undefined ? [] : [block('json', body)]),
  ]
  return [
    '<details><summary>Example, generated from the table</summary>',
    ...message('Legacy:', legacy),
    ...message('v1:', v1),
    '</details>',
  ].join('\n\n')
}
