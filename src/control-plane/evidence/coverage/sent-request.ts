import type { ExchangeRequest } from '../../../exchange/exchange.ts'
import { type Operation, parametersOf } from '../../../mapping/operation.ts'
import type { Scalar } from '../../../mapping/reader.ts'
import type { Parameter, Parameters, RequestMapping } from '../../../mapping/request.ts'
import { canonicalText, type JsonValue, readBody, typeOf } from '../diff/json-value.ts'
import { isAt, segmentsOf } from '../diff/path.ts'
import { languageOf } from '../reply.ts'
import { bodyShapeOf, listedOnly } from '../writes/walk-shape.ts'
import type { Showing } from './lines-to-see.ts'

/** The parts of a request that mapping lines are about. */
export type SentRequest = Pick<ExchangeRequest, 'query' | 'body'>

/**
 * Returns a function that says whether a request has a value for a member. Null and empty values do not count, nor do values
 * that the gateway leaves out or that v1 removed: they never exercise the line.
 */
export function sentMembers(mapping: Operation['request'], request: SentRequest): Showing['isSent'] {
  const parameters = parametersOf(mapping)
  const isRead = (legacy: string, value: JsonValue): boolean =>
    !isEmpty(value) && (!Object.hasOwn(parameters, legacy) || reaches(parameters[legacy] as Parameter, value))
  if (mapping.kind === 'query-parameters') {
    const query = new URLSearchParams(request.query)
    // If a parameter is repeated, the last one counts.
    return (legacy) => isRead(legacy, query.getAll(legacy).at(-1) ?? null)
  }
  const { json } = readBody(request.body)
  return (legacy) => json !== undefined && isAt(json, segmentsOf(legacy), (value) => isRead(legacy, value))
}

/** Whether a value is null, `""`, `[]` or `{}`. */
export const isEmpty = (value: JsonValue): boolean =>
  value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0)

/** Whether v1 gets the value, or the gateway refuses it. */
function reaches({ reader, retired }: Parameter, value: JsonValue): boolean {
  const reading = reader.read(scalarOf(value))
  if ('leaveOut' in reading) return false
  return !('send' in reading && retired?.values.includes(reading.send) === true)
}

/** Returns a value as parameter readers take it. */
export const scalarOf = (value: JsonValue): Scalar => ({
  type: typeOf(value),
  text: typeof value === 'string' ? value : canonicalText(value),
})

/**
 * Returns a function that reads the input of a call: a text that is equal for requests that differ only in what the mapping
 * ignores, such as `?_=1700000000000`, and in white space and order. Units and inputs are counted by it, so that one question
 * cannot become many. A request that is passed through, or whose body cannot be read, is taken as it is.
 */
export function inputReader(mapping: RequestMapping): (request: ExchangeRequest) => string {
  const listed = listedIn(mapping)
  return (request) => [request.method, request.path, languageOf(request.headers), listed(request)].join('\n')
}

function listedIn(mapping: RequestMapping): (sent: SentRequest) => string {
  if (mapping.kind === 'query-parameters') return ({ query }) => listedQuery(mapping.parameters, query)
  const shape = bodyShapeOf(mapping)
  if (shape === undefined) return ({ query, body }) => `${query}\n${textOf(body)}`
  return ({ body }) => {
    const { json } = readBody(body)
    return json === undefined ? textOf(body) : canonicalText(listedOnly(shape, json))
  }
}

/** If a parameter is repeated, the last one counts. */
function listedQuery(parameters: Parameters, query: string): string {
  const sent = [...new URLSearchParams(query)].filter(([name]) => Object.hasOwn(parameters, name))
  return JSON.stringify([...new Map(sent)].sort())
}

const textOf = (body: Uint8Array): string => Buffer.from(body).toString('latin1')
