import type { CompiledOperation } from '../../engine/compile/compile-operations.ts'
import { type Operation, parametersOf } from '../../mapping/operation.ts'
import type { Paging } from '../../mapping/request.ts'
import type { V1Facts, V1Value } from '../../mapping/v1-facts.ts'
import { type V1Example, wholeQuery } from '../examples/translated.ts'
import { explain } from '../lines/explain.ts'
import type { ExplainedLine } from '../lines/explained-line.ts'
import { nameInLegacy, queryInLegacy, v1ValueInWords } from '../openapi/v1-parameters.ts'

/** A header, a query parameter or a path variable of a Postman collection. */
export interface PostmanParameter {
  readonly key: string
  readonly value: string
  readonly description?: string
  /** True: it is not sent until a user ticks it. */
  readonly disabled?: true
}

/**
 * Returns the query of a request: first what the example sends, then all other parameters of the mapping and of v1,
 * switched off.
 */
export function queryParameters(
  operation: CompiledOperation,
  { query }: V1Example,
  facts: V1Facts['query'] = {},
): readonly PostmanParameter[] {
  const sent = pairsOf(query)
  const others = new Map([
    ...Object.entries(facts).map(([name, value]) => [name, String(value.default ?? '')] as const),
    ...pairsOf(wholeQuery(operation)),
  ])
  for (const [name] of sent) others.delete(name)
  const about = (key: string): Pick<PostmanParameter, 'description'> =>
    describeQuery(operation.mapping, key, facts[key])
  return [
    ...sent.map(([key, value]) => ({ key, value, ...about(key) })),
    ...[...others].map(([key, value]) => ({ key, value, ...about(key), disabled: true as const })),
  ]
}

/** Returns the variable parts of a path. A part that another request's answer gives is a variable of the collection. */
export function pathVariables({ mapping }: CompiledOperation, { segments }: V1Example): readonly PostmanParameter[] {
  const given = new Map(givenInPath(mapping).map(({ name, what }) => [name, what]))
  return Object.entries(segments).map(([key, value]) => {
    const what = given.get(key)
    return { key, value: what === undefined ? value : `{{${what}}}`, ...describe(mapping, `{${key}}`) }
  })
}

/** A part of v1's path that the service gave in an answer: its name, what it belongs to, and the mapping's example of it. */
interface GivenInPath {
  readonly name: string
  readonly what: string
  readonly example: string
}

/** Returns the parts of an operation's path that only an answer of the service reveals. */
export function givenInPath({ request, example }: Operation): readonly GivenInPath[] {
  return Object.entries(parametersOf(request)).flatMap(([legacy, parameter]) =>
    parameter.in === 'path' && parameter.givenByService !== undefined
      ? [
          {
            name: parameter.v1 ?? legacy,
            what: parameter.givenByService,
            example: String(example?.request[legacy] ?? 1),
          },
        ]
      : [],
  )
}

/** Returns how to request v1's pages; undefined: the answer has none. */
export function pagingOf({ request, response }: Operation): Paging | undefined {
  if (response.kind === 'whole-list') return response.paging
  return 'stitching' in request ? request.stitching?.paging : undefined
}

/** Splits an encoded query; the values stay encoded. */
const pairsOf = (query: string): readonly (readonly [name: string, value: string])[] =>
  query === ''
    ? []
    : query.split('&').map((pair) => {
        const [name = '', ...value] = pair.split('=')
        return [name, value.join('=')]
      })

/** Says what v1 accepts, if the contract shows it, and what the parameter was in legacy. */
function describeQuery(operation: Operation, name: string, fact?: V1Value): Pick<PostmanParameter, 'description'> {
  if (fact === undefined) return describe(operation, `?${name}`)
  const inLegacy = queryInLegacy(operation, name, fact) ?? ['Legacy does not have it.']
  return { description: [...v1ValueInWords(fact), ...inLegacy].join(' ') }
}

/** Says where a v1 parameter comes from, for those who know the legacy call. */
function describe(operation: Operation, v1: string): Pick<PostmanParameter, 'description'> {
  const lines = explain(operation).filter((line) => line.part === 'request' && line.v1 === v1)
  return lines.length === 0 ? {} : { description: lines.map(sayFromLegacy).join(' ') }
}

function sayFromLegacy({ legacy, v1, says, basis, reason }: ExplainedLine): string {
  const name = v1?.replace(/^[?{]|\}$/g, '') ?? ''
  const inLegacy = legacy === null ? 'Legacy does not have it.' : nameInLegacy(legacy, name)
  return [inLegacy, ...[says, reason && `${basis}: ${reason}`].flatMap(sentence)].join(' ')
}

const sentence = (text: string | null): readonly string[] =>
  text === null ? [] : [`${text.charAt(0).toUpperCase()}${text.slice(1)}.`]
