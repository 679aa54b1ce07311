import { type CompiledOperation, compileOperations } from '../../engine/compile/compile-operations.ts'
import type { Operation } from '../../mapping/operation.ts'
import type { V1Facts } from '../../mapping/v1-facts.ts'
import { tagOf } from '../describe/describe-openapi.ts'
import type { Schema } from '../describe/describe-type.ts'
import { describeV1Answers, V1_ERRORS, V1_SCHEMAS } from './v1-answers.ts'
import { describeV1Request } from './v1-request.ts'
import { type V1Book, v1Book } from './v1-shapes.ts'

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
  '`x-basis` states the basis: `documented`, the contract says so; `assumed`, it is silent, and the description gives the reason.',
  'A query parameter that is sent empty is a 422. Dates in a query are `YYYY-MM-DD`.',
].join('\n\n')

const UNKNOWN: Schema = {
  url: '{baseUrl}',
  description: 'v1; the gateway does not know its public address.',
  variables: { baseUrl: { default: 'http://localhost', description: 'What comes before `/api/v1`.' } },
}

const addressOf = ({ origin, pathname }: URL): string => `${origin}${pathname.replace(/\/+$/, '')}`

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
