import { compileOperations } from '../../engine/compile/compile-operations.ts'
import type { Operation } from '../../mapping/operation.ts'
import { describeGeneral, type Messages } from './describe-general.ts'
import { describeOperation, uncertainLines } from './describe-operation.ts'
import { code, table } from './describe-table.ts'

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
