import { QUOTE } from './json-scan.ts'
import { stringAt } from './json-walk.ts'
import type { ObjectPlan } from './plan.ts'

const BACKSLASH = 0x5c

/** A name, ready to be compared four bytes at a time. */
export interface Key {
  readonly bytes: Uint8Array
  readonly length: number
  /** Its bytes in fours. */
  readonly words: Int32Array
  /** Its last four bytes, which may overlap the word before them. */
  readonly last: number
}

export function keyOfName(name: string): Key {
  const bytes = new TextEncoder().encode(name)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const words = Int32Array.from({ length: bytes.length >> 2 }, (_, i) => view.getInt32(i * 4, true))
  return { bytes, length: bytes.length, words, last: bytes.length < 4 ? 0 : view.getInt32(bytes.length - 4, true) }
}

/** Whether this name stands at `at`, right behind an opening quote, and ends there. `view` is over the same bytes. */
export function keyStandsAt(key: Key, json: Uint8Array, view: DataView, at: number): boolean {
  const { length, words, bytes } = key
  if (json[at + length] !== QUOTE) return false
  if (length < 4) {
    for (let i = 0; i < length; i++) if (json[at + i] !== bytes[i]) return false
    return true
  }
  for (let i = 0; i < words.length; i++) if (view.getInt32(at + i * 4, true) !== words[i]) return false
  return view.getInt32(at + length - 4, true) === key.last
}

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

/** A name as it is written, with its colon. */
export const keyOf = (name: string): Uint8Array => new TextEncoder().encode(`${JSON.stringify(name)}:`)
