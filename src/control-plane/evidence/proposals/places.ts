import type { ResponseMapping } from '../../../mapping/operation.ts'
import { isObject, type JsonObject, type JsonValue } from '../diff/json-value.ts'
import { type Pairs, textOfId } from '../diff/pair-items.ts'
import { covers, moved, pathOf, type Segment, segmentsOf } from '../diff/path.ts'
import { type SecondLook, type Shown, UNKNOWN } from '../diff/second-look.ts'
import type { Expectations } from '../expected/expectations.ts'

/** The bodies of one exchange. */
export interface Bodies {
  readonly control: JsonValue
  readonly candidate: JsonValue
  readonly v1: JsonValue
  readonly pairs: Pairs
  /** Legacy's second answer; undefined: there is none. */
  readonly again: SecondLook | undefined
}

/** Where legacy paths are that have their places in common: a record, the rows of a list, or the items of a list within them. */
export interface Container {
  /** `[]`, `data[]`, `[].packages[]`, `pagination`; `""` for a record. */
  readonly legacy: string
  /** The paths of v1's objects around a place, outermost first: `items[]`, `items[].packages[]`. */
  readonly chain: readonly string[]
  /** Legacy's paths of the same objects. */
  readonly legacyChain: readonly string[]
}

/** A place, and what v1 has there. */
export interface Place {
  readonly legacy: JsonObject
  readonly candidate: JsonObject
  /** v1's objects, outermost first, as in `Container.chain`. */
  readonly chain: readonly JsonValue[]
  /** Legacy's second answer at this place. */
  readonly again: SecondLook | undefined
  /** Whether an id, or at least half of the members, say that legacy's object and v1's belong together. */
  readonly isAligned: boolean
}

const v1Items = 'items[]'

/** Returns the container of a legacy path; undefined: no line can be about it. */
export function containerOf(
  path: string,
  { response, v1Path }: Pick<Expectations, 'response' | 'v1Path'>,
): Container | undefined {
  const segments = segmentsOf(path)
  const lists = listsAround(path)
  const root = rootOf(response, segments)
  if (root === undefined || (root.legacy.endsWith('[]') && lists[0] !== root.legacy)) return undefined
  const chain = [root.v1]
  const legacyChain = [root.legacy]
  let [outerLegacy, outerV1] = [root.legacy, root.v1]
  for (const list of root.legacy.endsWith('[]') ? lists.slice(1) : lists) {
    const mapped = v1Path({ part: 'answer', kind: 'changed', path: list })
    const isBeneath = mapped !== null && covers(outerV1, mapped) && arraysIn(mapped) === arraysIn(outerV1) + 1
    outerV1 = isBeneath && mapped.endsWith('[]') ? mapped : moved(list, outerLegacy, outerV1)
    outerLegacy = list
    chain.push(outerV1)
    legacyChain.push(list)
  }
  return { legacy: outerLegacy, chain, legacyChain }
}

const arraysIn = (path: string): number => segmentsOf(path).filter((segment) => segment === null).length

function rootOf(
  response: ResponseMapping,
  [first, second]: readonly Segment[],
): { readonly legacy: string; readonly v1: string } | undefined {
  switch (response.kind) {
    case 'record':
      return first === null ? undefined : { legacy: '', v1: 'data' }
    case 'list':
    case 'whole-list':
      return first === null ? { legacy: '[]', v1: v1Items } : undefined
    case 'page':
      if (first === response.rows.at && second === null) return { legacy: pathOf([first, null]), v1: v1Items }
      return first === response.meta.at && second !== undefined ? { legacy: pathOf([first]), v1: 'meta' } : undefined
    default:
      return undefined
  }
}

/**
 * Calls `visit` with each place of a container, until it throws.
 * @param start the first row to visit, as a whole number; the rows before it come last.
 */
export function eachPlace(container: Container, bodies: Bodies, start: number, visit: (place: Place) => void): void {
  const { control, candidate, v1, again } = bodies
  const [root = '', ...v1Lists] = container.chain
  const lists = listsAround(container.legacy)
  const around = { ...bodies, start, visit, isAlone: lists.length === 0 }
  if (root === v1Items) {
    visitFrom({ legacy: control, candidate, chain: [], again, v1 }, '', '', lists, container.chain, around)
    return
  }
  const names = lists.length === 0 ? segmentsOf(container.legacy) : []
  const here = {
    legacy: valueAt(control, names),
    candidate: valueAt(candidate, names),
    chain: [valueAt(v1, segmentsOf(root)) ?? null],
    again: lookAt(again, names),
  }
  visitFrom(here, '', root, lists, v1Lists, around)
}

const lookAt = (look: SecondLook | undefined, names: readonly Segment[]): SecondLook | undefined =>
  names.reduce((at, name) => at?.member(String(name)), look)

/** Returns the paths of the lists that a path is in, outermost first. */
function listsAround(path: string): readonly string[] {
  const segments = segmentsOf(path)
  return [...segments.keys()].filter((at) => segments[at] === null).map((at) => pathOf(segments.slice(0, at + 1)))
}

interface Around extends Bodies {
  readonly start: number
  readonly visit: (place: Place) => void
  /** Whether there is one place at most, so that nothing can be paired wrongly. */
  readonly isAlone: boolean
}

interface Here {
  readonly legacy: JsonValue | undefined
  readonly candidate: JsonValue | undefined
  readonly chain: readonly JsonValue[]
  readonly again: SecondLook | undefined
  /** The object of v1 that holds the list, if it is not in the chain. */
  readonly v1?: JsonValue
}

function visitFrom(
  here: Here,
  outerLegacy: string,
  outerV1: string,
  [list, ...lists]: readonly string[],
  [v1List = '', ...v1Lists]: readonly string[],
  around: Around,
): void {
  const { legacy, candidate, chain } = here
  if (list === undefined) {
    if (isObject(legacy) && isObject(candidate) && isObject(chain.at(-1))) {
      const isAligned = around.isAlone || belong(legacy, candidate)
      around.visit({ legacy, candidate, chain, again: here.again, isAligned })
    }
    return
  }
  const names = namesBetween(outerLegacy, list)
  const items = valueAt(legacy, names)
  const others = valueAt(candidate, names)
  const rows = valueAt(here.v1 ?? chain.at(-1), namesBetween(outerV1, v1List))
  if (!Array.isArray(items) || !Array.isArray(others) || !Array.isArray(rows)) return
  const isTop = chain.length === 0
  // Of a large body only the first rows were read.
  if (rows.length !== others.length && !(isTop && rows.length < others.length)) return
  const look = lookAt(here.again, names)
  const indices = indexOf(others)
  const start = isTop && items.length > 0 ? around.start % items.length : 0
  for (let step = 0; step < items.length; step++) {
    const index = (start + step) % items.length
    const item = items[index] as JsonValue
    const other = around.pairs.of(item)
    const row = other === undefined ? undefined : rows[others[index] === other ? index : (indices(other) ?? -1)]
    if (row === undefined) continue
    const inner = { legacy: item, candidate: other, chain: [...chain, row], again: look?.item(item, index) }
    visitFrom(inner, list, v1List, lists, v1Lists, around)
  }
}

/** Whether two objects are the same thing: they have the same id, or at least half of the values that both have are equal. */
function belong(legacy: JsonObject, candidate: JsonObject): boolean {
  const id = textOfId(legacy.id)
  if (id !== undefined && id === textOfId(candidate.id)) return true
  let [both, equal] = [0, 0]
  for (const name of Object.keys(legacy)) {
    const was = legacy[name]
    if (was === null || typeof was === 'boolean' || typeof was === 'object' || !Object.hasOwn(candidate, name)) continue
    both++
    if (was === candidate[name]) equal++
  }
  return equal > 0 && 2 * equal >= both
}

const namesBetween = (outer: string, list: string): readonly Segment[] =>
  segmentsOf(list).slice(segmentsOf(outer).length, -1)

/** Returns a function that finds an item; it makes its index when first asked. */
function indexOf(items: readonly JsonValue[]): (item: JsonValue) => number | undefined {
  let index: Map<JsonValue, number> | undefined
  return (item) => {
    index ??= new Map(items.map((each, at) => [each, at]))
    return index.get(item)
  }
}

/** Returns the value at names; undefined: there is none. */
export function valueAt(value: JsonValue | undefined, names: readonly Segment[]): JsonValue | undefined {
  let at = value
  for (const name of names) {
    if (name === null || !isObject(at) || !Object.hasOwn(at, name)) return undefined
    at = at[name]
  }
  return at
}

/** Whether legacy's second answer says that a value has changed meanwhile. */
export function hasChanged(
  value: JsonValue | undefined,
  again: SecondLook | undefined,
  names: readonly string[],
  keyOf: (value: JsonValue) => string,
): boolean {
  if (again === undefined) return false
  const shown: Shown = names.reduce((look, name) => look.member(name), again).control
  if (shown === UNKNOWN) return false
  if (shown === undefined || value === undefined) return shown !== value
  return keyOf(shown) !== keyOf(value)
}
