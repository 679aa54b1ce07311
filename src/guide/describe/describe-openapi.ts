import { type CompiledOperation, compileOperations } from '../../engine/compile/compile-operations.ts'
import type { Operation } from '../../mapping/operation.ts'
import type { Shape } from '../../mapping/shape.ts'
import type { ExplainedLine } from '../lines/explain-line.ts'
import { describeAnswers } from './describe-answers.ts'
import { describeErrors, ERROR_SCHEMAS, ownErrorLines } from './describe-errors.ts'
import { describeHeaders } from './describe-headers.ts'
import { sayLine } from './describe-line.ts'
import { describeRequest } from './describe-request.ts'
import { describeServers } from './describe-servers.ts'
import { type SchemaBook, schemaBook } from './describe-shape.ts'
import { NOT_SENT, type Schema } from './describe-type.ts'

/** Where and in which version the interface is served. */
export interface Served {
  /** Scheme, host and port of the legacy interface. */
  readonly origin: string
  /** The path prefix of the legacy paths; empty: none. */
  readonly basePath: string
  readonly version: string
}

/**
 * The OpenAPI 3.1 description of the legacy interface as the gateway serves it. Types, and that rows and members are there
 * at all, are the contract's promise: an answer keeps to it where v1 does.
 */
export function describeOpenapi(operations: readonly Operation[], { origin, basePath, version }: Served): Schema {
  const compiled = compileOperations(operations)
  const book = schemaBook(new Set(operations.flatMap(countsOf)))
  const paths: Record<string, Schema> = {}
  for (const operation of compiled) {
    const { method, path } = operation.mapping.legacy
    paths[path] = { ...paths[path], [method.toLowerCase()]: describeOperation(operation, compiled, book) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'The legacy shipping and invoicing interface',
      version,
      summary: 'As legacy-gateway serves it on top of v1.',
      description: ABOUT,
    },
    servers: describeServers(origin, basePath),
    security: [{ token: [] }],
    tags: [...new Map(operations.map((operation) => [tagOf(operation), operation]))].map(describeTag),
    paths,
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'The token of the legacy login.' },
      },
      parameters: PARAMETERS,
      headers: describeHeaders(),
      responses: describeErrors(operations),
      schemas: { ...ERROR_SCHEMAS, ...NOT_SENT, ...book.schemas() },
    },
  }
}

const ABOUT = [
  'Made from the mappings, which state what differs between legacy and v1.',
  'Types are those that the contract shows: a promise that holds where v1 keeps its own. A row or a member of another type than promised passes as it is.',
  'A member without a type is one whose type the contract does not show. A member that v1 leaves out is missing here too, unless it is required.',
  '`x-basis` says why a line is as it is: `documented`, the contract says so; `assumed`, the contract is silent and the description has the reason; `lost`, v1 no longer has it.',
].join('\n\n')

const PARAMETERS = {
  AcceptLanguage: {
    name: 'Accept-Language',
    in: 'header',
    required: false,
    description: 'A value that starts with en selects English, anything else Turkish, for names and messages.',
    schema: { type: 'string', default: 'tr' },
  },
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    required: false,
    description: 'Comes back in the answer, and reaches v1.',
    schema: { type: 'string' },
  },
} as const

function describeOperation(compiled: CompiledOperation, all: readonly CompiledOperation[], book: SchemaBook): Schema {
  const operation = compiled.mapping
  const { id, says, v1, authorization } = operation
  return {
    operationId: id,
    tags: [tagOf(operation)],
    summary: says,
    description: [
      v1 === undefined ? 'v1 has no equivalent.' : `In v1: \`${v1.method} ${v1.path}\`.`,
      ...ownErrorLines(operation).map(sayError),
    ].join('\n\n'),
    deprecated: true,
    ...(authorization === 'none' ? { security: [] } : {}),
    ...describeRequest(operation, book),
    responses: describeAnswers(compiled, all, book),
  }
}

function sayError(line: ExplainedLine): string {
  const status = line.legacy === null ? '' : ` is ${line.legacy}`
  return `v1’s error code \`${line.v1}\`${status}. ${sayLine({ ...line, v1: null })}`
}

/** The part of v1 that takes over, as its path names it: `shipment` of `/api/v1/shipment/…`. */
function tagOf({ v1 }: Operation): string {
  const [name] = (v1?.path ?? '').split('/').filter((part) => part !== '' && !/^(api|v\d+|public)$/.test(part))
  return name ?? 'legacy only'
}

const describeTag = ([name, { v1 }]: readonly [string, Operation]): Schema => ({
  name,
  description: v1 === undefined ? 'v1 has no equivalent.' : `What v1 has under \`${pathOfTag(v1.path, name)}\`.`,
})

const pathOfTag = (path: string, name: string): string => path.slice(0, path.indexOf(`/${name}/`) + name.length + 1)

/** The counts of a page: the gateway refuses an answer of v1 without them. */
const countsOf = ({ response }: Operation): readonly Shape[] => (response.kind === 'page' ? [response.meta.shape] : [])
