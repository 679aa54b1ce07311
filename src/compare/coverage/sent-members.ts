import type { ExchangeRequest } from '../../exchange/exchange.ts'
import { type Operation, parametersOf } from '../../mapping/operation.ts'
import type { Scalar } from '../../mapping/reader.ts'
import type { Parameter } from '../../mapping/request.ts'
import { canonicalText, type JsonValue, readBody, typeOf } from '../diff/json-value.ts'
import { segmentsOf } from '../diff/path.ts'
import { isAt } from '../expected/is-at.ts'
import { remembered } from '../expected/remembered.ts'
import type { Showing } from './line-to-see.ts'

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
  return (legacy) => json !== undefined && isAt(json, pathTo(legacy), (value) => isRead(legacy, value))
}

/** Only paths of mapping lines are looked up, so there are few. */
const pathTo = remembered(segmentsOf)

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
