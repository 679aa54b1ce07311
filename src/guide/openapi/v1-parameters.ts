import type { CompiledOperation } from '../../engine/compile/compile-operations.ts'
import { type Operation, parametersOf } from '../../mapping/operation.ts'
import type { Parameter } from '../../mapping/request.ts'
import type { V1Facts, V1Value } from '../../mapping/v1-facts.ts'
import { type V1Example, v1Example } from '../examples/translated.ts'
import { jsonContent, type Schema, schemaOfType } from './schema-book.ts'
import { NO_MEMBERS, schemaInV1Query, type V1Book } from './v1-schemas.ts'

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
  const schema = book.refer(request.shape, facts?.body ?? NO_MEMBERS)
  const shown: unknown = login === undefined ? JSON.parse(example.body) : undefined
  return { parameters, requestBody: { required: true, content: jsonContent(schema, shown) } }
}

function describePath({ mapping }: CompiledOperation, example: V1Example | undefined): readonly Schema[] {
  const parameters = Object.entries(parametersOf(mapping.request))
  return Object.entries(example?.segments ?? {}).map(([name, value]) => {
    const parameter = parameters.find(([legacy, { v1 = legacy }]) => v1 === name)?.[1]
    const type = parameter?.reader.accepts.type
    return {
      ...{ name, in: 'path', required: true },
      schema: schemaOfType('v1', type),
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

/**
 * Says in sentences what legacy calls a parameter of v1's query, and how its values differ there. Undefined if legacy does
 * not have it.
 */
export function queryInLegacy({ request }: Operation, name: string, fact: V1Value = {}): readonly string[] | undefined {
  const entry = Object.entries(parametersOf(request)).find(
    ([legacy, { in: place, v1 = legacy }]) => place === 'query' && v1 === name,
  )
  if (entry === undefined) return undefined
  const [legacy, parameter] = entry
  return [nameInLegacy(legacy, name), ...valuesInLegacy(parameter), ...(fact.change === undefined ? [] : [fact.change])]
}

/** Says what legacy calls a parameter. The values may differ, even if the name is the same. */
export const nameInLegacy = (legacy: string, v1: string): string =>
  legacy === v1 ? 'Legacy has the same name for it.' : `In legacy: \`${legacy}\`.`

function valuesInLegacy({ reader: { renamed = {} }, retired, widened }: Parameter): readonly string[] {
  const names = Object.entries(renamed).map(([legacy, v1]) => `${v1} is \`${legacy}\``)
  return [
    ...(names.length === 0 ? [] : [`In legacy, ${names.join(', and ')}.`]),
    ...(retired === undefined ? [] : [`Legacy also accepted ${retired.values.join(', ')}.`]),
    ...(widened === undefined ? [] : [`In v1, ${widened.reason}.`]),
  ]
}

/** Says in sentences what v1 accepts for a parameter: `1 to 200; by default 25.` Empty if the contract shows nothing. */
export function v1ValueInWords(value: V1Value): readonly string[] {
  const limits = [...rangeOf(value), ...(value.default === undefined ? [] : [`by default ${value.default}`])].join('; ')
  return [
    ...(limits === '' ? [] : [`${limits.charAt(0).toUpperCase()}${limits.slice(1)}.`]),
    ...(value.says === undefined ? [] : [value.says]),
    ...(value.assumed === undefined ? [] : [`Assumed: ${value.assumed}.`]),
  ]
}

function rangeOf(value: V1Value): readonly string[] {
  const { type, low, high, shortest, longest, values, anyCase, isList, oneAndZero } = value
  if (values !== undefined) return [`one of ${values.join(', ')}${anyCase === true ? ' (in any case)' : ''}`]
  if (type === 'date') return ['YYYY-MM-DD']
  if (type === 'bool') return [`one of true, false${oneAndZero === true ? ', 1, 0' : ''}`]
  if (low !== undefined) return [high === undefined ? `at least ${low}` : `${low} to ${high}`]
  if (longest === undefined) return []
  return [
    isList === true ? `up to ${longest} characters each, separated by commas` : `${shortest} to ${longest} characters`,
  ]
}
