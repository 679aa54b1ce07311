import { type CompiledOperation, compileOperations } from '../../engine/compile/compile-operations.ts'
import type { Operation } from '../../mapping/operation.ts'
import type { V1Facts } from '../../mapping/v1-facts.ts'
import { exampleAnswer } from '../examples/translated.ts'
import { addressOf } from '../explain/explain-requests.ts'
import { answerParts } from '../lines/answer-parts.ts'
import { tagOf } from './legacy-openapi.ts'
import { jsonContent, listSchema, type Schema } from './schema-book.ts'
import { describeV1Request } from './v1-parameters.ts'
import { NO_MEMBERS, type V1Book, v1Book } from './v1-schemas.ts'

/**
 * Describes v1 in OpenAPI 3.1, as far as the contract shows it: from the mappings, and from `facts` about v1, by operation, that no mapping
 * has. What the contract does not show has no type and is not required.
 * @param v1 the address of v1; undefined: it is not known.
 */
export function describeV1(
  operations: readonly Operation[],
  facts: Readonly<Record<string, V1Facts>>,
  v1: URL | undefined,
): Schema {
  const compiled = compileOperations(operations)
  const served = compiled.filter(({ mapping }) => mapping.v1 !== undefined)
  const book = v1Book()
  const paths: Record<string, Schema> = {}
  for (const operation of served) {
    const { method, path } = operation.mapping.v1 ?? operation.mapping.legacy
    const described = describeOperation(operation, compiled, facts[operation.mapping.id], book)
    paths[path] = { ...paths[path], [method.toLowerCase()]: described }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'The shipping and invoicing service, v1',
      version: 'v1',
      summary: 'What replaces the legacy interface.',
      description: ABOUT,
    },
    servers: [v1 === undefined ? UNKNOWN : { url: addressOf(v1), description: 'v1' }],
    security: [{ token: [] }],
    tags: [...new Set(served.map(({ mapping }) => tagOf(mapping)))].map((name) => ({
      name,
      description: `What v1 has under \`${name}\`.`,
    })),
    paths,
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'The data.token of the login.' },
      },
      parameters: { AcceptLanguage: ACCEPT_LANGUAGE },
      responses: V1_ERRORS,
      schemas: { ...V1_SCHEMAS, ...book.schemas() },
    },
  }
}

const ABOUT = [
  'Generated from the contract and the mappings. A member or a parameter has a type, and an operation an error, where the contract shows it. The contract does not show which members of a request or record are required.',
  '`x-basis` states the basis: `documented`, the contract says so; `assumed`, it is silent, and the description gives the reason; `corrected`, the operators of the gateway corrected the mapping.',
  'A query parameter that is sent empty is a 422. Dates in a query are `YYYY-MM-DD`.',
].join('\n\n')

const UNKNOWN: Schema = {
  url: '{baseUrl}',
  description: 'v1; the gateway does not know its public address.',
  variables: { baseUrl: { default: 'http://localhost', description: 'What comes before `/api/v1`.' } },
}

const ACCEPT_LANGUAGE: Schema = {
  name: 'Accept-Language',
  in: 'header',
  required: false,
  description:
    'A value that starts with en selects English, anything else Turkish: for names of countries, units, states and fees, and for messages of a validation.',
  schema: { type: 'string', default: 'tr' },
}

function describeOperation(
  operation: CompiledOperation,
  all: readonly CompiledOperation[],
  facts: V1Facts | undefined,
  book: V1Book,
): Schema {
  const { id, says, legacy, authorization } = operation.mapping
  return {
    operationId: id,
    tags: [tagOf(operation.mapping)],
    summary: facts?.says ?? says,
    description: `Replaces \`${legacy.method} ${legacy.path}\` of legacy. ${says}`,
    ...(authorization === 'none' ? { security: [] } : {}),
    ...describeV1Request(operation, facts, book),
    responses: describeV1Answers(operation, all, facts, book),
  }
}

/**
 * Describes the answers of a v1 call, as OpenAPI's `responses`: the success with the status that the contract shows, otherwise any
 * success; and the errors that it shows (docs/contract.md 9).
 */
function describeV1Answers(
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
      content: jsonContent(envelopeOf(operation.mapping, facts, book), example && (JSON.parse(example) as unknown)),
    },
    ...errorsOf(operation.mapping, facts),
  }
}

/** The success envelope (docs/contract.md 2.4), with what this operation answers in it. */
function envelopeOf({ response }: Operation, facts: V1Facts | undefined, book: V1Book): Schema {
  const parts = answerParts(response).flatMap(({ v1, shape, isList }): [string, Schema][] => {
    if (v1 === 'meta') return []
    const schema = book.refer((v1 === 'data' ? facts?.record : undefined) ?? shape, facts?.answer ?? NO_MEMBERS)
    return [[v1, isList ? listSchema(schema) : schema]]
  })
  const meta: [string, Schema][] =
    response.kind === 'whole-list' || response.kind === 'page' ? [['meta', { $ref: '#/components/schemas/Meta' }]] : []
  const members: readonly [string, Schema][] = [['success', { const: true }], ['message', MESSAGE], ...parts, ...meta]
  return {
    type: 'object',
    properties: Object.fromEntries(members),
    required: members.map(([name]) => name),
  }
}

const MESSAGE = { type: 'string', description: 'Turkish in every language.' } as const

function errorsOf({ authorization, login, effect }: Operation, facts: V1Facts | undefined): Schema {
  const causesOf = facts?.errors ?? {}
  const statuses = new Set([
    ...(login === undefined ? [400] : []),
    ...(authorization === 'token' || login !== undefined ? [401] : []),
    ...[422, 503],
    ...Object.keys(causesOf).map(Number),
  ])
  // A read breaks no business rule that the contract shows.
  if (effect === 'read' && causesOf[400] === undefined) statuses.delete(400)
  return Object.fromEntries(
    [...statuses].map((status) => {
      const causes = causesOf[status]
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
const V1_ERRORS: Schema = Object.fromEntries(
  Object.entries(ERRORS).map(([status, description]) => [
    `Error${status}`,
    { description, content: jsonContent({ $ref: '#/components/schemas/Error' }) },
  ]),
)

/** Bodies that all operations share, for `components.schemas`. */
const V1_SCHEMAS: Readonly<Record<string, Schema>> = {
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
