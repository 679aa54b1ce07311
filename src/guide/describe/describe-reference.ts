import { compileOperations } from '../../engine/compile/compile-operations.ts'
import type { Operation } from '../../mapping/operation.ts'
import { describeGeneral, type Messages } from './describe-general.ts'
import { describeOperation, ownLines } from './describe-operation.ts'
import { code, table } from './describe-table.ts'

/**
 * The reference of all mappings in GitHub's Markdown, for whoever migrates a client: what to send and what to expect instead.
 * Ends with a line break.
 * @throws MappingError when a mapping cannot be right.
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
  'What every call of the legacy interface is in v1: where its members go, what the answer looks like, which errors come. Find your call in the table below; its section lists what to change, and why. The gateway does the same, line by line, for programs that have not migrated.',
  '*Generated from the mappings in this folder: `node src/cli/bin.js mappings > mappings/README.md`. `node src/cli/bin.js mappings --openapi` prints the legacy interface as OpenAPI.*',
]

function describeOverview(operations: readonly Operation[]): readonly string[] {
  const rows = operations.map((operation) => {
    const { id, legacy, v1, effect } = operation
    const count = (basis: string): string => {
      const lines = ownLines(operation).filter((line) => line.basis === basis)
      return v1 === undefined ? '—' : String(lines.length)
    }
    return [
      `[${id}](#${id})`,
      code(`${legacy.method} ${legacy.path}`),
      v1 === undefined ? '—' : code(`${v1.method} ${v1.path}`),
      effect,
      count('assumed'),
      count('lost'),
    ]
  })
  return [
    '## Operations',
    ...table(['Operation', 'Legacy', 'v1', 'Effect', 'Assumed', 'Lost'], rows),
    'The last two columns say how sure the mapping is: how many of its lines are assumptions, and how many members are lost. Those that hold for all operations are not counted.',
    'Everything else: [Documented, assumed, lost](#documented-assumed-lost) · [Headers](#headers) · [Errors](#errors) · [Languages](#languages)',
  ]
}
