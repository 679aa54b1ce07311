import { compileOperations } from '../../engine/compile/compile-operations.ts'
import type { Operation } from '../../mapping/operation.ts'
import { explain } from '../lines/explain.ts'
import { generalErrorLines, NOT_SERVED, REFUSED_BODIES, REFUSED_PATHS } from '../lines/explain-errors.ts'
import { changeInWords, type ExplainedLine } from '../lines/explained-line.ts'
import { cell, code, table } from '../markdown.ts'
import { HEADERS } from '../openapi/legacy-components.ts'
import { describeOperation, uncertainLines } from './describe-operation.ts'

/**
 * Writes the reference of all mappings in GitHub's Markdown, for people who migrate a client: what to send and what to expect
 * instead. Ends with a line break.
 * @throws MappingError if a mapping has a mistake.
 */
export function describeReference(operations: readonly Operation[], messages: Messages): string {
  const compiled = compileOperations(operations)
  const blocks = [
    ...INTRODUCTION,
    ...describeOverview(operations),
    ...describeGeneral(operations, messages),
    ...compiled.flatMap((operation) => describeOperation(operation, compiled)),
  ]
  return `${blocks.join('\n\n')}\n`
}

const INTRODUCTION = [
  '# From legacy to v1',
  'What every legacy call becomes in v1: where its members go, what the answer looks like, and which errors to expect. Find your call in the table below. Its section lists what to change, and why. For programs that have not migrated, the gateway makes the same changes, line by line.',
  '*Generated from the mappings in this folder: `node src/cli/bin.js mappings > mappings/README.md`. `node src/cli/bin.js mappings --openapi` prints the legacy interface as OpenAPI, `--openapi-v1` v1, and `--postman` the v1 calls as a Postman collection.*',
]

function describeOverview(operations: readonly Operation[]): readonly string[] {
  const rows = operations.map((operation) => {
    const { id, legacy, v1, effect } = operation
    const { assumed, lost } = uncertainLines(operation)
    return [
      `[${id}](#${id})`,
      code(`${legacy.method} ${legacy.path}`),
      v1 === undefined ? '—' : code(`${v1.method} ${v1.path}`),
      effect,
      ...[assumed, lost].map((lines) => (v1 === undefined ? '—' : String(lines))),
    ]
  })
  return [
    '## Operations',
    ...table(['Operation', 'Legacy', 'v1', 'Effect', 'Assumed', 'Lost'], rows),
    'The last two columns show how certain a mapping is: the number of its lines that are assumed, and of its members that are lost. Lines that hold for all operations are not counted.',
    'For all operations: [Documented, assumed, lost](#documented-assumed-lost) · [Headers](#headers) · [Errors](#errors) · [Languages](#languages)',
  ]
}

/** Texts by v1 error code, and by names of the gateway's own, in both languages. */
type Messages = Readonly<Record<'en' | 'tr', Readonly<Record<string, string>>>>

/** Describes what holds for every operation, as blocks of Markdown. */
function describeGeneral(operations: readonly Operation[], messages: Messages): readonly string[] {
  return [
    ...BASES,
    ...describeHeaders(operations),
    ...describeErrorTables(generalErrorLines(operations)),
    ...describeLanguages(messages),
  ]
}

const BASES = [
  '## Documented, assumed, lost',
  'Every mapping line states its basis:',
  [
    '- **documented**: the contract of the two interfaces says so.',
    '- **assumed**: the contract is silent. This is our decision, with its reason; comparison side by side confirms or refutes it.',
    '- **lost**: v1 no longer has it. The gateway answers `null`, or does not send it. A client that needs it must get it elsewhere.',
  ].join('\n'),
  'Two **laws** tell whether a mapping loses anything else: what is translated there and back is the same, but for the losses that its lines declare. Each section says what came of it with values made up from its tables.',
  'Paths start at the root of a body: `data[].id` is the `id` of every item of the list `data`. `?name` is a query parameter of v1, `{name}` a segment of its path. Examples are generated from the tables and translated by the gateway itself; their values are placeholders.',
]

function describeHeaders(operations: readonly Operation[]): readonly string[] {
  const served = operations.filter(({ v1 }) => v1 !== undefined)
  const byLine = new Map<string, { readonly line: ExplainedLine; readonly ids: string[] }>()
  for (const operation of served) {
    for (const line of explain(operation).filter(({ part }) => part === 'header')) {
      const key = JSON.stringify(line)
      const entry = byLine.get(key) ?? { line, ids: [] }
      entry.ids.push(operation.id)
      byLine.set(key, entry)
    }
  }
  const requests = [...byLine.values()].map(({ line, ids }) => [
    code(line.legacy ?? line.v1 ?? ''),
    cell(changeInWords(line)),
    ids.length === served.length ? 'all' : ids.map((id) => `[${id}](#${id})`).join(', '),
  ])
  return [
    '## Headers',
    'Request headers:',
    ...table(['Header', 'What happens', 'Operations'], requests),
    'Headers of a legacy answer, besides `Content-Type`:',
    ...table(
      ['Header', 'Value', 'On'],
      Object.entries(HEADERS).map(([name, { on, says }]) => [code(name), cell(says), WHERE[on]]),
    ),
  ]
}

const WHERE = {
  answer: 'every answer',
  error: 'errors of v1',
  failure: 'failures',
  brownout: 'refusals in a brownout',
  list: 'whole lists',
} as const

function describeErrorTables(lines: readonly ExplainedLine[]): readonly string[] {
  const row = ({ legacy, v1, says, basis, reason }: ExplainedLine, place: (text: string) => string) => [
    v1 === null ? '—' : place(v1),
    legacy === null ? '—' : place(legacy),
    cell(says ?? ''),
    basis,
    cell(reason ?? ''),
  ]
  const statuses = lines.filter(({ change }) => change === 'status').map((line) => row(line, cell))
  const members = lines.filter(({ change }) => change !== 'status').map((line) => row(line, code))
  const refused = [...REFUSED_BODIES, ...REFUSED_PATHS, ...NOT_SERVED]
  return [
    '## Errors',
    'Statuses. The section of an operation lists its exceptions.',
    ...table(['v1', 'Legacy', 'What happens', 'Basis', 'Why'], statuses),
    'Members of the body:',
    ...table(['v1', 'Legacy', 'What happens', 'Basis', 'Why'], members),
    'The gateway itself refuses these calls, with a `message`:',
    ...table(
      ['Status', 'When'],
      refused.map(({ status, says }) => [String(status), cell(says)]),
    ),
  ]
}

/** Describes the messages by v1's code (docs/contract.md 9.1), which legacy bodies do not have. */
function describeLanguages({ en, tr }: Messages): readonly string[] {
  const codes = Object.keys(en).filter((name) => /^[A-Z_]+$/.test(name))
  return [
    '## Languages',
    'An `Accept-Language` that starts with `en` selects English, anything else Turkish. v1’s messages are always Turkish, except those of validation; legacy translated them. In English, the gateway answers the texts below. For a code that is not listed, it turns the code into a sentence: `CARRIER_IS_NOT_FOUND` would become “Carrier is not found.” In Turkish, it answers v1’s own text, and one of those below only if v1 sends none or the operation has a message of its own.',
    ...table(
      ['v1’s code', 'English', 'Turkish'],
      codes.map((name) => [code(name), cell(en[name] ?? ''), cell(tr[name] ?? '')]),
    ),
  ]
}
