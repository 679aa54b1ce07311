import { oncePer } from '../../mapping/once-per.ts'
import type { RequestMapping } from '../../mapping/request.ts'
import type { Shape, Value } from '../../mapping/shape.ts'
import { same, shape } from '../../mapping/shape.ts'
import { isObject, type JsonObject, type JsonValue } from '../diff/json-value.ts'
import { type Names, namesOf } from '../writes/walk-shape.ts'

/** Returns the shape of a request's body; undefined: the mapping does not read the body. */
export const bodyShapeOf = oncePer((request: RequestMapping): Shape | undefined => {
  if (request.kind === 'body') return request.shape
  if (request.kind !== 'body-parameters') return undefined
  const rules = Object.keys(request.parameters).map((path) => [path, same()] as const)
  return shape('', Object.fromEntries(rules), { closed: true })
})

/** Returns a legacy value without the members that a shape leaves out, at any depth. */
export function listedOnly(shape: Shape, value: JsonValue): JsonValue {
  return isObject(value) ? listedIn(namesOf(shape), shape.closed, value) : value
}

function listedIn(names: Names, closed: boolean, object: JsonObject): JsonObject {
  const listed: [name: string, value: JsonValue][] = []
  for (const [name, value] of Object.entries(object)) {
    const known = names.get(name)
    if (known === undefined && closed) continue
    if (known instanceof Map) listed.push([name, isObject(value) ? listedIn(known, closed, value) : value])
    else listed.push([name, known?.kind === 'field' ? listedInValue(known.value, value) : value])
  }
  return Object.fromEntries(listed)
}

function listedInValue(rule: Value, value: JsonValue): JsonValue {
  if (rule.kind === 'object') return listedOnly(rule.shape, value)
  if (rule.kind !== 'list' || !Array.isArray(value)) return value
  return (value as readonly JsonValue[]).map((item) => listedOnly(rule.shape, item))
}
