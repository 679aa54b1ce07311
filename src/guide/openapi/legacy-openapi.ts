import { type CompiledOperation, compileOperations } from '../../engine/compile/compile-operations.ts'
import type { Operation, ResponseMapping } from '../../mapping/operation.ts'
import type { Shape } from '../../mapping/shape.ts'
import { sampleOf } from '../examples/samples.ts'
import { exampleAnswer } from '../examples/translated.ts'
import { answerParts } from '../lines/answer-parts.ts'
import { ownErrorLines } from '../lines/explain-errors.ts'
import { type ExplainedLine, sayLine } from '../lines/explained-line.ts'
import { describeErrors, describeHeaders, ERROR_SCHEMAS, referToErrors, referToHeaders } from './legacy-components.ts'
import { describeRequest } from './legacy-parameters.ts'
import { type LegacyBook, legacyBook, NOT_SENT } from './legacy-schemas.ts'
import { jsonContent, listSchema, objectSchema, type Schema } from './schema-book.ts'

/** The address of the interface, and its version. */
interface Served {
  /** Scheme, host and port of the legacy interface. */
  readonly origin: string
  /** The prefix of the legacy paths. Empty if there is none. */
  readonly basePath: string
  readonly version: string
}

/**
 * Describes the legacy interface as the gateway serves it, in OpenAPI 3.1. The types and the presence of rows and
 * members are the contract's promise: an answer keeps it as long as v1 does.
 */
export function describeOpenapi(operations: readonly Operation[], { origin, basePath, version }: Served): Schema {
  const compiled = compileOperations(operations)
  const book = legacyBook(new Set(operations.flatMap(countsOf)))
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
  'Generated from the mappings, which state what differs between legacy and v1.',
  'Types are those that the contract shows, and hold as long as v1 keeps its own. A row or a member of another type passes unchanged.',
  'A member has no type where the contract does not show it. A member that v1 leaves out is missing here too, unless it is required.',
  '`x-basis` states the basis of a line: `documented`, the contract says so; `assumed`, the contract is silent and the description gives the reason; `lost`, v1 no longer has it; `corrected`, the operators of the gateway corrected the mapping.',
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
    description: 'Returned in the answer, and sent to v1.',
    schema: { type: 'string' },
  },
} as const

function describeOperation(compiled: CompiledOperation, all: readonly CompiledOperation[], book: LegacyBook): Schema {
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
  const status = line.legacy === null ? '' : ` becomes ${line.legacy}`
  return `v1’s error code \`${line.v1}\`${status}. ${sayLine({ ...line, v1: null })}`
}

/** Returns the part of v1 that replaces the operation, as its path names it: `shipment` of `/api/v1/shipment/…`. */
export function tagOf({ v1 }: Operation): string {
  const [name] = (v1?.path ?? '').split('/').filter((part) => part !== '' && !/^(api|v\d+|public)$/.test(part))
  return name ?? 'legacy only'
}

const describeTag = ([name, { v1 }]: readonly [string, Operation]): Schema => ({
  name,
  description:
    v1 === undefined ? 'v1 has no equivalent.' : `Operations that v1 has under \`${pathOfTag(v1.path, name)}\`.`,
})

const pathOfTag = (path: string, name: string): string => path.slice(0, path.indexOf(`/${name}/`) + name.length + 1)

/** Returns the shape of a page's counts. The gateway refuses an answer of v1 without them. */
const countsOf = ({ response }: Operation): readonly Shape[] => (response.kind === 'page' ? [response.meta.shape] : [])

/** The address at which the gateway listens for calls to the legacy interface. */
export interface LegacyAddress {
  /** A name or an address of this machine, or a wildcard address. */
  readonly host: string
  readonly port: number
  /** Whether it speaks TLS; unset: it does not. */
  readonly isEncrypted?: boolean
}

/**
 * Returns the origin of the legacy interface. If it listens on every address of the machine, the name is `askedHost`,
 * the host that the client requested the description from.
 */
export function originOf({ host, port, isEncrypted = false }: LegacyAddress, askedHost: string): string {
  const name = EVERY_ADDRESS.test(host) ? askedHost : host
  return new URL(
    `${isEncrypted ? 'https' : 'http'}://${name.includes(':') && !name.startsWith('[') ? `[${name}]` : name}:${port}`,
  ).origin
}

/** Wildcard addresses: `0.0.0.0`, `::`, and other ways to write them. */
const EVERY_ADDRESS = /^[0:.]*$/

/**
 * Describes OpenAPI's `servers`. The first is the gateway's own complete address, because generated clients use it by
 * default. The gateway does not know a proxy in front of it, so the second has the origin as a variable.
 */
export const describeServers = (origin: string, basePath: string): readonly Schema[] => [
  { url: `${origin}${basePath}`, description: 'The gateway itself.' },
  {
    url: `{origin}${basePath}`,
    description: 'The gateway under another name, such as that of a proxy in front of it.',
    variables: {
      origin: { default: origin, description: 'Scheme, host and port, without a trailing slash.' },
    },
  },
]

/** Describes the answers to a legacy call, as OpenAPI's `responses`. Examples may use values from `all` operations. */
function describeAnswers(operation: CompiledOperation, all: readonly CompiledOperation[], book: LegacyBook): Schema {
  const { mapping } = operation
  const { response } = mapping
  const headers = response.kind === 'whole-list' ? referToHeaders('answer', 'list') : referToHeaders('answer')
  const content = jsonContent(describeBody(response, book), exampleOf(operation, all))
  const success = { description: 'Done.', headers, ...(response.kind === 'no-content' ? {} : { content }) }
  return {
    [response.kind === 'pass-through' ? 200 : response.status]: success,
    ...(response.kind === 'whole-list' ? { 304: { description: CURRENT, headers } } : {}),
    ...(response.kind === 'pass-through' ? { default: { description: UNCHANGED } } : {}),
    ...referToErrors(mapping),
  }
}

const CURRENT = 'The client’s copy of the list is current: its entity tag was sent as If-None-Match.'
const UNCHANGED = 'Any other answer of the legacy service, unchanged.'

/** Describes the body of a success. The gateway itself writes the members of a page. */
function describeBody(response: ResponseMapping, book: LegacyBook): Schema {
  if (response.kind === 'pass-through') {
    return response.answers === undefined ? {} : book.refer(response.answers, 'answer')
  }
  const parts = answerParts(response).map(({ legacy, shape, isList }): [string, Schema] => {
    const schema = book.refer(shape, 'answer')
    return [legacy, isList ? listSchema(schema) : schema]
  })
  const [first] = parts
  if (first?.[0] === '') return first[1]
  return objectSchema(
    parts,
    parts.map(([name]) => name),
    false,
  )
}

/** Returns an example of the answer: the mapping's own, otherwise one generated from its shape. */
function exampleOf(operation: CompiledOperation, all: readonly CompiledOperation[]): unknown {
  const { example, response } = operation.mapping
  if (example?.answer !== undefined) return example.answer
  if (response.kind === 'pass-through') return response.answers && sampleOf(response.answers, 'legacy')
  const generated = exampleAnswer(operation, all)?.legacy.body
  return generated === undefined ? undefined : JSON.parse(generated)
}
