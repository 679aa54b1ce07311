import {
  leavesOf,
  type PathNode,
  type PathTree,
  pathTree,
  plant,
  segmentsOf,
} from '../../engine/compile/shape-lines.ts'
import type { Example, Operation } from '../../mapping/operation.ts'
import type { Accepted } from '../../mapping/reader.ts'
import type { Parameter, Parameters, RequestMapping } from '../../mapping/request.ts'
import { explain } from '../lines/explain.ts'
import { type ExplainedLine, sayLine } from '../lines/explained-line.ts'
import { type LegacyBook, orNotSent, schemaInBody, schemaInQuery } from './legacy-schemas.ts'
import { jsonContent, objectSchema, type Schema, schemaOfType } from './schema-book.ts'

/** Describes the request of a legacy call, as OpenAPI's `parameters` and `requestBody`. */
export function describeRequest(operation: Operation, book: LegacyBook): Schema {
  const { request, example } = operation
  const lines = explain(operation).filter(({ part }) => part === 'request')
  switch (request.kind) {
    case 'query-parameters':
      return { parameters: [...COMMON, ...describeQuery(request.parameters, lines, example?.request)] }
    case 'body-parameters': {
      const isNeeded = request.emptyBody === 'refused'
      const schema = describeBody(request, lines)
      return {
        parameters: COMMON,
        requestBody: jsonBody(isNeeded ? schema : orEmptyList(schema), isNeeded, example?.request),
      }
    }
    case 'body':
      return { parameters: COMMON, requestBody: jsonBody(book.refer(request.shape, 'request'), true, example?.request) }
    case 'pass-through':
      return {
        parameters: COMMON,
        requestBody: jsonBody(schemaOfType('legacy', 'object'), operation.legacy.method === 'POST', example?.request),
      }
  }
}

const COMMON = [
  { $ref: '#/components/parameters/AcceptLanguage' },
  { $ref: '#/components/parameters/RequestId' },
] as const

const jsonBody = (schema: Schema, required: boolean, example: unknown): Schema => ({
  required,
  content: jsonContent(schema, example),
})

function describeQuery(
  parameters: Parameters,
  lines: readonly ExplainedLine[],
  example: Example['request'] = {},
): readonly Schema[] {
  return Object.entries(parameters).map(([name, { reader, basis }]) => ({
    name,
    in: 'query',
    required: false,
    allowEmptyValue: true,
    description: sayLines(name, lines),
    schema: schemaInQuery(reader.accepts),
    ...(example[name] === undefined ? {} : { example: example[name] }),
    'x-basis': basis.kind,
  }))
}

interface Member {
  readonly name: string
  readonly parameter: Parameter
}

/** Describes a body whose members become parameters. Other members are accepted, but not sent. */
function describeBody(
  request: RequestMapping & { readonly kind: 'body-parameters' },
  lines: readonly ExplainedLine[],
): Schema {
  const tree = pathTree<Member>()
  for (const [name, parameter] of Object.entries(request.parameters)) plant(tree, segmentsOf(name), { name, parameter })
  const { stitching } = request

  const branch = (at: PathTree<Member>): Schema => {
    const nodes = [...at.children]
    const required = nodes.flatMap(([name, node]) => (isNeeded(node) ? [name] : []))
    return objectSchema(
      nodes.map(([name, node]) => [name, describeNode(node)]),
      required,
      true,
    )
  }
  const describeNode = (node: PathNode<Member>): Schema => {
    if (!('leaf' in node)) return isNeeded(node) ? branch(node) : orNotSent(branch(node))
    const { name, parameter } = node.leaf
    const isPageSize = stitching !== undefined && (parameter.v1 ?? name) === stitching.paging.perPage
    return {
      ...(isNeeded(node) ? schemaInBody : schemaOrNotSent)(parameter.reader.accepts),
      ...(isPageSize ? { default: stitching.defaultPerPage } : {}),
      description: sayLines(name, lines),
      'x-basis': parameter.basis.kind,
    }
  }
  return { ...branch(tree), description: sayLines('', lines) }
}

const schemaOrNotSent = (accepted: Accepted): Schema => orNotSent(schemaInBody(accepted))

/** Allows an empty list too, which some clients write for an empty object. */
const orEmptyList = (schema: Schema): Schema => ({ anyOf: [schema, { type: 'array', items: {}, maxItems: 0 }] })

/** Whether a member is required: only one that fills v1's path is. */
const isNeeded = (node: PathNode<Member>): boolean => leavesOf(node).some(({ parameter }) => parameter.in === 'path')

const sayLines = (name: string, lines: readonly ExplainedLine[]): string =>
  lines
    .filter(({ legacy }) => legacy === name)
    .map(sayLine)
    .join(' ')
