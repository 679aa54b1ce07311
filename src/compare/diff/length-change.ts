import type { Budget } from './budget.ts'
import { fingerprintOf } from './fingerprint.ts'
import type { JsonValue } from './json-value.ts'
import { idsOf } from './pair-items.ts'

type Items = readonly JsonValue[]

/** How two lists of different lengths differ in their items. */
export interface LengthChange {
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
