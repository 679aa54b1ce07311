import type { ExchangeRequest } from '../../exchange/exchange.ts'
import { parametersOf } from '../../mapping/operation.ts'
import type { Parameters, RequestMapping } from '../../mapping/request.ts'
import type { Budget } from '../diff/budget.ts'
import { type JsonValue, readBody } from '../diff/json-value.ts'
import { boundedPath, memberPath, segmentsOf } from '../diff/path.ts'
import { isAt } from '../expected/is-at.ts'
import { bodyShapeOf } from '../inputs/listed-members.ts'
import { walkShape } from '../writes/walk-shape.ts'
import { isEmpty, scalarOf } from './sent-members.ts'

/** Names something that a request has and v1 does not get. */
export interface NotSentName {
  /** `request`: no line of the mapping lists the member. `value`: a line lists it, but v1 does not know its value. `other`: beyond the bound. */
  readonly part: 'request' | 'value' | 'other'
  /** The legacy path of a member or the name of a parameter; `?name` for a parameter beside a body, `(body)` for a body beside parameters. */
  readonly legacy: string
}

/** Stands for everything beyond a bound. */
export const OTHER_NAMES: NotSentName = { part: 'other', legacy: '' }

/** The most names told apart per request, because a client may send any number. */
const MOST = 50
/** The name of a body that is not read, because the mapping reads parameters. */
const BODY = '(body)'

type Sent = Pick<ExchangeRequest, 'query' | 'body'>

/**
 * Returns what a legacy request has and its translation does not carry to v1, at most 50 names and one for all others.
 *
 * Null and empty values ask for nothing, so they are not in it, and neither are members that the mapping declares lost or whose
 * values v1 removed: the mapping says what becomes of those. A query parameter without `=` is a flag, and is in it.
 */
export function notSent(mapping: RequestMapping, { query, body }: Sent, budget: Budget): readonly NotSentName[] {
  if (mapping.kind === 'pass-through') return []
  const names = new Map<string, NotSentName>()
  const add = (part: 'request' | 'value', path: string): void => {
    budget.step()
    const legacy = boundedPath(visible(path))
    if (names.size < MOST) names.set(`${part} ${legacy}`, { part, legacy })
    else if (!names.has(`${part} ${legacy}`)) names.set('', OTHER_NAMES)
  }
  if (mapping.kind === 'query-parameters') {
    for (const [name, value] of sentParameters(query)) {
      if (!Object.hasOwn(mapping.parameters, name)) add('request', memberPath('', name))
      else if (isLeftOut(mapping.parameters, name, value)) add('value', name)
    }
    if (body.length > 0) add('request', BODY)
    return [...names.values()]
  }
  for (const [name] of sentParameters(query)) add('request', `?${memberPath('', name)}`)
  const { json } = readBody(body)
  const shape = bodyShapeOf(mapping)
  if (json === undefined || shape === undefined) return [...names.values()]
  walkShape(shape, json, '', budget, ({ path, value, isLeftOut }) => {
    if (isLeftOut && !isEmpty(value)) add('request', path)
  })
  const parameters = parametersOf(mapping)
  for (const name of Object.keys(parameters)) {
    if (isAt(json, segmentsOf(name), (value) => !isEmpty(value) && isLeftOut(parameters, name, value)))
      add('value', name)
  }
  return [...names.values()]
}

/** Writes invisible characters as escapes, so that two names never look alike. */
const visible = (path: string): string =>
  path.replaceAll(/\p{C}/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)

/** Returns the parameters of a query that ask for something: with a value, or a name alone. Of a repeated one, the last counts. */
function sentParameters(query: string): ReadonlyMap<string, string> {
  const sent = new Map<string, string>()
  if (query === '') return sent
  for (const written of query.split('&')) {
    // The constructor takes a question mark at the beginning for that of the URL.
    const [name, value] = [...new URLSearchParams(`&${written}`)][0] ?? []
    if (name === undefined || value === undefined) continue
    if (value === '' && written.includes('=')) sent.delete(name)
    else sent.set(name, value)
  }
  return sent
}

function isLeftOut(parameters: Parameters, name: string, value: JsonValue): boolean {
  const reading = parameters[name]?.reader.read(scalarOf(value))
  return reading !== undefined && 'leaveOut' in reading
}
