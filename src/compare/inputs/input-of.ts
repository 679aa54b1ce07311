import type { ExchangeRequest } from '../../exchange/exchange.ts'
import type { Parameters, RequestMapping } from '../../mapping/request.ts'
import { canonicalText, readBody } from '../diff/json-value.ts'
import { languageOf } from '../reply-of.ts'
import { bodyShapeOf, listedOnly } from './listed-members.ts'

/**
 * Returns a function that reads the input of a call: a text that is equal for requests that differ only in what the mapping
 * ignores, such as `?_=1700000000000`, and in white space and order. Units and inputs are counted by it, so that one question
 * cannot become many. A request that is passed through, or whose body cannot be read, is taken as it is.
 */
export function inputReader(mapping: RequestMapping): (request: ExchangeRequest) => string {
  const listed = listedIn(mapping)
  return (request) => [request.method, request.path, languageOf(request.headers), listed(request)].join('\n')
}

type Sent = Pick<ExchangeRequest, 'query' | 'body'>

function listedIn(mapping: RequestMapping): (sent: Sent) => string {
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
