import { createHash } from 'node:crypto'
import type { Budget } from './budget.ts'
import { ExactNumber } from './decimal.ts'
import { canonicalText, isObject, type JsonValue } from './json-value.ts'

type Items = readonly JsonValue[]
type Pair = readonly [control: JsonValue, candidate: JsonValue]

/** The items of arrays that a comparison compared with each other. Items that are no objects are not in it. */
export class Pairs {
  readonly #candidates = new Map<JsonValue, JsonValue>()

  /** Adds a pair. A later pair of the same item replaces the earlier one. */
  add(control: JsonValue, candidate: JsonValue): void {
    if (isObject(control)) this.#candidates.set(control, candidate)
  }

  /** Returns the candidate's item that the control's item was compared with; undefined: there is none. */
  of(control: JsonValue): JsonValue | undefined {
    return this.#candidates.get(control)
  }
}

/** The items of two arrays, paired by id. */
interface IdPairs {
  readonly both: readonly Pair[]
  /** Items whose id the other array lacks, by index. */
  readonly alone: readonly (readonly [control: JsonValue | undefined, candidate: JsonValue | undefined])[]
  /** Whether both arrays have the same ids in a different order. */
  readonly reordered: boolean
}

/** Pairs items by `id`; undefined: an item has no id, or two have the same. */
export function pairById(control: Items, candidate: Items): IdPairs | undefined {
  const ids = idsOf(control)
  const others = ids && idsOf(candidate)
  if (ids === undefined || others === undefined) return undefined
  const both: Pair[] = []
  const alone = new Map<number, [JsonValue | undefined, JsonValue | undefined]>()
  let moved = false
  for (const [id, at] of ids) {
    const other = others.get(id)
    if (other === undefined) alone.set(at, [control[at], undefined])
    else {
      both.push([control[at] as JsonValue, candidate[other] as JsonValue])
      moved ||= at !== other
    }
  }
  for (const [id, at] of others) if (!ids.has(id)) alone.set(at, [alone.get(at)?.[0], candidate[at]])
  return { both, alone: [...alone.values()], reordered: moved && alone.size === 0 }
}

/** Maps each id to its index. A number and the string of its digits are the same id, so that a change of type is found. */
export function idsOf(items: Items): ReadonlyMap<string, number> | undefined {
  const ids = new Map<string, number>()
  for (const [at, item] of items.entries()) {
    const id = isObject(item) && Object.hasOwn(item, 'id') ? textOfId(item.id) : undefined
    if (id === undefined || ids.has(id)) return undefined
    ids.set(id, at)
  }
  return ids
}

/** Returns an id as text; undefined: it is not an id. */
export function textOfId(id: JsonValue | undefined): string | undefined {
  if (id instanceof ExactNumber) return id.text
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined
}

/**
 * Pairs equal items of two arrays of the same length; undefined: the arrays have different items, or the same order.
 * @param wording a string member that is not compared.
 */
export function pairReordered(
  control: Items,
  candidate: Items,
  budget: Budget,
  wording?: string,
): readonly Pair[] | undefined {
  const places = placesOf(control, budget, wording)
  const pairs: Pair[] = []
  let moved = false
  for (const [at, item] of candidate.entries()) {
    const place = places.get(keyOf(item, budget, wording))?.pop()
    if (place === undefined) return undefined
    pairs.push([control[place] as JsonValue, item])
    moved ||= place !== at
  }
  return moved ? pairs : undefined
}

/** Pairs equal items of two arrays of the same length, and the remaining items in order; undefined: no items are equal. */
export function pairUnordered(control: Items, candidate: Items, budget: Budget): readonly Pair[] | undefined {
  const places = placesOf(control, budget, undefined)
  const found = candidate.map((item) => places.get(keyOf(item, budget, undefined))?.pop())
  if (found.every((place) => place === undefined)) return undefined
  const others = [...places.values()].flat().sort((a, b) => b - a)
  return candidate.map((item, at) => [control[found[at] ?? (others.pop() as number)] as JsonValue, item])
}

/** Maps each item to its indices; equal items have several, the last first. */
function placesOf(items: Items, budget: Budget, wording: string | undefined): ReadonlyMap<string, number[]> {
  const places = new Map<string, number[]>()
  for (let at = items.length - 1; at >= 0; at--) {
    const key = keyOf(items[at] as JsonValue, budget, wording)
    const same = places.get(key)
    if (same === undefined) places.set(key, [at])
    else same.push(at)
  }
  return places
}

function keyOf(item: JsonValue, budget: Budget, wording: string | undefined): string {
  const isWorded = wording !== undefined && isObject(item) && typeof item[wording] === 'string'
  return fingerprintOf(isWorded ? { ...item, [wording]: '' } : item, budget)
}

/** How two lists of different lengths differ in their items. */
interface LengthChange {
  /** Whether the longer list has all items of the shorter one, in their order. */
  readonly isPure: boolean
  /** The items that only the candidate has. */
  readonly extra: Items
}

/** Finds items that one list lacks: by their ids, or if items have none, by their values. */
export function lengthChange(control: Items, candidate: Items, budget: Budget): LengthChange {
  const [ids, others] = [idsOf(control), idsOf(candidate)]
  const keysOf = (items: Items): readonly string[] => items.map((item) => fingerprintOf(item, budget))
  const [was, is] =
    ids !== undefined && others !== undefined
      ? [[...ids.keys()], [...others.keys()]]
      : [keysOf(control), keysOf(candidate)]
  const [kept, keptToo] = [whichAreIn(was, is), whichAreIn(is, was)]
  const shared = was.filter((_, at) => kept[at])
  const sharedToo = is.filter((_, at) => keptToo[at])
  return {
    isPure: shared.length === Math.min(was.length, is.length) && shared.every((key, at) => key === sharedToo[at]),
    extra: candidate.filter((_, at) => !keptToo[at]),
  }
}

/** Says of each key whether the other list has it, at least as often. */
function whichAreIn(keys: readonly string[], others: readonly string[]): readonly boolean[] {
  const left = new Map<string, number>()
  for (const key of others) left.set(key, (left.get(key) ?? 0) + 1)
  return keys.map((key) => {
    const times = left.get(key) ?? 0
    left.set(key, times - 1)
    return times > 0
  })
}

/** Fingerprints by array or object, so that each is walked only once. */
const fingerprints = new WeakMap<object, string>()

/**
 * Returns a short text that is equal for equal values only. The order of members and the form of numbers do not matter.
 * @throws TooCostly when the budget is used up.
 */
export function fingerprintOf(value: JsonValue, budget: Budget): string {
  budget.step()
  if (!Array.isArray(value) && !isObject(value)) return canonicalText(value)
  const existing = fingerprints.get(value)
  if (existing !== undefined) return existing
  const hash = createHash('sha256')
  if (Array.isArray(value)) for (const item of value) hash.update(`,${fingerprintOf(item, budget)}`)
  else if (isObject(value)) {
    for (const name of Object.keys(value).sort()) {
      hash.update(`${JSON.stringify(name)}:${fingerprintOf(value[name] ?? null, budget)};`)
    }
  }
  const fingerprint = `${Array.isArray(value) ? '[' : '{'}${hash.digest('base64')}`
  fingerprints.set(value, fingerprint)
  return fingerprint
}
