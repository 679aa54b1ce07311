import type { CompiledOperation } from '../../engine/compile/compile-operations.ts'
import type { Operation } from '../../mapping/operation.ts'
import type { V1Facts } from '../../mapping/v1-facts.ts'
import { exampleAnswer } from '../describe/describe-exchange.ts'
import type { Schema } from '../describe/describe-type.ts'
import type { V1Book } from './v1-shapes.ts'

/**
 * Describes the answers of a v1 call, as OpenAPI's `responses`: the success with the status that the contract shows, otherwise any
 * success; and the errors that it shows (docs/contract.md 9).
 */
export function describeV1Answers(
  operation: CompiledOperation,
  all: readonly CompiledOperation[],
  facts: V1Facts | undefined,
  book: V1Book,
): Schema {
  const { response } = operation.mapping
  const status = 'v1Status' in response ? response.v1Status : undefined
  const example = facts?.record === undefined ? exampleAnswer(operation, all)?.v1.body : undefined
  return {
    [status ?? '2XX']: {
      description: status === undefined ? 'Done. The contract does not show the status.' : 'Done.',
      'x-basis': status === undefined ? 'assumed' : 'documented',
      content: {
        'application/json': {
          schema: envelopeOf(operation.mapping, facts, book),
          ...(example === undefined ? {} : { example: JSON.parse(example) as unknown }),
        },
      },
    },
    ...errorsOf(operation.mapping, facts),
  }
}

/** The success envelope (docs/contract.md 2.4), with what this operation answers in it. */
function envelopeOf({ response }: Operation, facts: V1Facts | undefined, book: V1Book): Schema {
  const members = facts?.answer
  const items = (shape: Parameters<V1Book['refer']>[0]): Schema => ({
    items: { type: 'array', items: book.refer(shape, members) },
  })
  switch (response.kind) {
    case 'record':
      return envelope({ data: book.refer(facts?.record ?? response.shape, members) })
    case 'list':
      return envelope(items(response.shape))
    case 'whole-list':
      return envelope({ ...items(response.shape), meta: META })
    case 'page':
      return envelope({ ...items(response.rows.shape), meta: META })
    case 'no-content':
    case 'pass-through':
      return envelope({})
  }
}

const META: Schema = { $ref: '#/components/schemas/Meta' }
const message = { type: 'string', description: 'Turkish in every language.' } as const

const envelope = (members: Schema): Schema => ({
  type: 'object',
  properties: { success: { const: true }, message, ...members },
  required: ['success', 'message', ...Object.keys(members)],
})

function errorsOf({ authorization, login, effect }: Operation, facts: V1Facts | undefined): Schema {
  const own = facts?.errors ?? {}
  const statuses = new Set([
    ...(login === undefined ? [400] : []),
    ...(authorization === 'token' || login !== undefined ? [401] : []),
    ...[422, 503],
    ...Object.keys(own).map(Number),
  ])
  // A read breaks no business rule that the contract shows.
  if (effect === 'read' && own[400] === undefined) statuses.delete(400)
  return Object.fromEntries(
    [...statuses].map((status) => {
      const causes = own[status]
      const reference = { $ref: `#/components/responses/Error${status}` }
      return [status, causes === undefined ? reference : { ...reference, description: sayCauses(status, causes) }]
    }),
  )
}

const sayCauses = (status: number, causes: readonly string[]): string =>
  [...(status === 422 ? ['VALIDATION_FAILED'] : []), ...causes].join('; ')

const ERRORS: Readonly<Record<number, string>> = {
  400: 'A business rule; its code says which.',
  401: 'Not authorized. The contract does not show the error of a missing or invalid token.',
  422: 'VALIDATION_FAILED: the request is not valid, and errors has the first error of each field. Or a business rule that is about a field.',
  503: 'DEPENDENCY_UNAVAILABLE: the service is temporarily unavailable.',
}

/** The error responses, for `components.responses`. */
export const V1_ERRORS: Schema = Object.fromEntries(
  Object.entries(ERRORS).map(([status, description]) => [
    `Error${status}`,
    { description, content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } },
  ]),
)

/** Bodies that all operations share, for `components.schemas`. */
export const V1_SCHEMAS: Readonly<Record<string, Schema>> = {
  Meta: {
    type: 'object',
    description: 'Continue with page up to pageCount.',
    properties: {
      page: { type: 'integer' },
      perPage: { type: 'integer' },
      total: { type: 'integer' },
      pageCount: { type: 'integer' },
    },
    required: ['page', 'perPage', 'total', 'pageCount'],
  },
  Error: {
    type: 'object',
    properties: {
      success: { const: false },
      code: { type: 'string', description: 'Programs tell errors apart by this code.' },
      message: {
        type: 'string',
        description: 'Turkish, except that messages of a validation follow Accept-Language.',
      },
      errors: {
        type: 'array',
        items: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
      },
      params: { type: 'object', description: 'What to choose from instead, in options.' },
    },
    required: ['success', 'code', 'message'],
  },
}
