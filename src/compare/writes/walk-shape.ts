import type { Rule, Shape } from '../../mapping/shape.ts'
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
export type Names = Map<string, Rule | Names>

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
    const known = names.get(name)
    if (known instanceof Map) {
      if (isObject(value)) walkNames(known, closed, value, path, budget, visit)
      // A value that is not an object has none of the members that the names beneath it stand for.
      else if (closed && value !== null) visit({ path, value, rule: undefined, isLeftOut: true })
      continue
    }
    visit({ path, value, rule: known, isLeftOut: known === undefined && closed })
    if (known?.kind !== 'field') continue
    if (known.value.kind === 'object') walkShape(known.value.shape, value, path, budget, visit)
    if (known.value.kind === 'list') walkItems(known.value.shape, value, path, budget, visit)
  }
}

const known = new WeakMap<Shape, Names>()

/** Returns the lines of a shape as a tree of legacy names. Its rules are by path. */
export function namesOf(shape: Shape): Names {
  const before = known.get(shape)
  if (before !== undefined) return before
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
  known.set(shape, names)
  return names
}
