import { oncePer } from '../../../mapping/once-per.ts'
import type { RequestMapping } from '../../../mapping/request.ts'
import { type Rule, type Shape, same, shape, type Value } from '../../../mapping/shape.ts'
import type { Budget } from '../diff/budget.ts'
import { isObject, type JsonObject, type JsonValue } from '../diff/json-value.ts'
import { itemsPath, memberPath } from '../diff/path.ts'

/** A member of a legacy body, with its line in the shape, or whether the shape leaves it out. */
export interface Member {
  readonly path: string
  readonly value: JsonValue
  /** Undefined: no line names it. */
  readonly rule: Rule | undefined
  /** Whether it is left out: no line names it, and the shape passes only listed members. */
  readonly isLeftOut: boolean
}

type Visit = (member: Member) => void

/** The lines of an object by name; a name has a line, or further names beneath it. */
type Names = Map<string, Rule | Names>

/** Visits the members of a legacy value that a shape describes, and of all objects within it; `path` is where it stands. */
export function walkShape(shape: Shape, value: JsonValue, path: string, budget: Budget, visit: Visit): void {
  if (isObject(value)) walkNames(namesOf(shape), shape.closed, value, path, budget, visit)
}

/** Visits the items of a legacy list in the same way. */
export function walkItems(shape: Shape, value: JsonValue, path: string, budget: Budget, visit: Visit): void {
  if (!Array.isArray(value)) return
  for (const item of value as readonly JsonValue[]) walkShape(shape, item, itemsPath(path), budget, visit)
}

function walkNames(names: Names, closed: boolean, object: JsonObject, above: string, budget: Budget, visit: Visit) {
  for (const [name, value] of Object.entries(object)) {
    budget.step()
    const path = memberPath(above, name)
    const line = names.get(name)
    if (line instanceof Map) {
      if (isObject(value)) walkNames(line, closed, value, path, budget, visit)
      // A value that is not an object has none of the members that the names beneath it stand for.
      else if (closed && value !== null) visit({ path, value, rule: undefined, isLeftOut: true })
      continue
    }
    visit({ path, value, rule: line, isLeftOut: line === undefined && closed })
    if (line?.kind !== 'field') continue
    if (line.value.kind === 'object') walkShape(line.value.shape, value, path, budget, visit)
    if (line.value.kind === 'list') walkItems(line.value.shape, value, path, budget, visit)
  }
}

/** Returns the lines of a shape as a tree of legacy names. Its rules are by path. */
export const namesOf = oncePer((shape: Shape): Names => {
  const names: Names = new Map()
  for (const [path, rule] of Object.entries(shape.rules)) {
    const [last = '', ...above] = path.split('.').reverse()
    let at = names
    for (const name of above.reverse()) {
      const next = at.get(name)
      const inner: Names = next instanceof Map ? next : new Map()
      at.set(name, inner)
      at = inner
    }
    at.set(last, rule)
  }
  return names
})

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
    const line = names.get(name)
    if (line === undefined && closed) continue
    if (line instanceof Map) listed.push([name, isObject(value) ? listedIn(line, closed, value) : value])
    else listed.push([name, line?.kind === 'field' ? listedInValue(line.value, value) : value])
  }
  return Object.fromEntries(listed)
}

function listedInValue(rule: Value, value: JsonValue): JsonValue {
  if (rule.kind === 'object') return listedOnly(rule.shape, value)
  if (rule.kind !== 'list' || !Array.isArray(value)) return value
  return (value as readonly JsonValue[]).map((item) => listedOnly(rule.shape, item))
}
