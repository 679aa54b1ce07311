import { stringAt } from './json-walk.ts'
import { type Key, keyStandsAt } from './key.ts'
import type { ObjectPlan } from './plan.ts'

const BACKSLASH = 0x5c

/** The plan's member whose name stands in `json[start, end)`, quotes included and escapes allowed; -1: none. */
export function findKey(
  { keys, byName }: ObjectPlan,
  json: Uint8Array,
  view: DataView,
  start: number,
  end: number,
): number {
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index] as Key
    if (key.length === end - start - 2 && keyStandsAt(key, json, view, start + 1)) return index
  }
  for (let at = start; at < end; at++) {
    if (json[at] === BACKSLASH) return byName.get(stringAt(json, start, end)) ?? -1
  }
  return -1
}
