import type { CompiledOperation } from '../../engine/compile/compile-operations.ts'
import { parametersOf } from '../../mapping/operation.ts'
import type { V1Facts, V1Value } from '../../mapping/v1-facts.ts'
import type { Schema } from '../describe/describe-type.ts'
import { queryInLegacy } from './query-in-legacy.ts'
import { type V1Example, v1Example } from './v1-example.ts'
import type { V1Book } from './v1-shapes.ts'
import { schemaInV1Query, schemaOfV1Type } from './v1-value.ts'

/** Describes the request of a v1 call, as OpenAPI's `parameters` and `requestBody`. */
export function describeV1Request(operation: CompiledOperation, facts: V1Facts | undefined, book: V1Book): Schema {
  const { request, login } = operation.mapping
  const example = v1Example(operation)
  const parameters = [
    { $ref: '#/components/parameters/AcceptLanguage' },
    ...describePath(operation, example),
    ...describeQuery(operation, facts, example),
  ]
  // Where the mapping has no body, the contract shows none either.
  if (request.kind !== 'body' || example?.body === undefined) return { parameters }
  const json = {
    schema: book.refer(request.shape, facts?.body),
    ...(login === undefined ? { example: JSON.parse(example.body) as unknown } : {}),
  }
  return { parameters, requestBody: { required: true, content: { 'application/json': json } } }
}

function describePath({ mapping }: CompiledOperation, example: V1Example | undefined): readonly Schema[] {
  const parameters = Object.entries(parametersOf(mapping.request))
  return Object.entries(example?.segments ?? {}).map(([name, value]) => {
    const parameter = parameters.find(([legacy, { v1 = legacy }]) => v1 === name)?.[1]
    const type = parameter?.reader.accepts.type
    return {
      ...{ name, in: 'path', required: true },
      schema: schemaOfV1Type(type),
      example: type === 'int' ? Number(value) : value,
      'x-basis': parameter?.basis.kind ?? 'documented',
    }
  })
}

/** Describes the parameters that the contract shows, then those of the mapping whose form it does not show. */
function describeQuery(
  { mapping }: CompiledOperation,
  facts: V1Facts | undefined,
  example: V1Example | undefined,
): readonly Schema[] {
  const shown = facts?.query ?? {}
  const sent = new URLSearchParams(example?.query)
  const mapped = Object.entries(parametersOf(mapping.request)).flatMap(([legacy, { in: place, v1 = legacy }]) =>
    place === 'query' ? [v1] : [],
  )
  const names = new Set([...Object.keys(shown), ...mapped])
  return [...names].map((name) => {
    const value: V1Value = shown[name] ?? {}
    const says = [
      ...(value.says === undefined ? [] : [value.says]),
      ...(queryInLegacy(mapping, name, value) ?? []),
      ...(value.assumed === undefined ? [] : [`Assumed: ${value.assumed}.`]),
    ]
    const written = sent.get(name)
    return {
      ...{ name, in: 'query', required: false },
      ...(says.length === 0 ? {} : { description: says.join(' ') }),
      schema: schemaInV1Query(value),
      ...(written === null ? {} : { example: typed(written, value) }),
      'x-basis': value.assumed === undefined ? 'documented' : 'assumed',
    }
  })
}

function typed(text: string, { type }: V1Value): unknown {
  if (type === 'int') return Number(text)
  return type === 'bool' ? text === 'true' || text === '1' : text
}
