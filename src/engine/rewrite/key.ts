import { hasEscape, stringAt } from '../json/walk-json.ts'
import { pieceOf } from './run-writer.ts'

/** A member's key, ready for comparison by four-byte words. */
export interface Key {
  readonly name: string
  /** The name in quotes, with its colon. */
  readonly bytes: Uint8Array
  readonly length: number
  /** Its first four bytes, the next four, and its last four, which may overlap the others. 0 if the key is too short. */
  readonly first: number
  readonly second: number
  readonly last: number
  /** The words between them. */
  readonly middle: readonly number[]
}

/** Returns a name in quotes, with its colon. */
export const keyOf = (name: string): string => `${JSON.stringify(name)}:`

/** Prepares a name for comparison. */
export function readyKey(name: string): Key {
  const { text: bytes, view } = pieceOf(keyOf(name))
  const { length } = bytes
  const word = (at: number): number => (at >= 0 && at + 4 <= length ? view.getInt32(at, true) : 0)
  const middle = Array.from({ length: Math.max(((length - 1) >> 2) - 2, 0) }, (_, i) => word(8 + i * 4))
  return { name, bytes, length, first: word(0), second: word(4), last: word(length - 4), middle }
}

/** Whether this key is at `at`, its colon directly after it. `end` is the length of the text. */
export function keyStandsAt(key: Key, text: DataView, at: number, end: number): boolean {
  const { length, middle } = key
  // An empty name is shorter than a word.
  if (length < 4 || at + length > end) return false
  if (text.getInt32(at, true) !== key.first || text.getInt32(at + length - 4, true) !== key.last) return false
  if (length <= 8) return true
  if (text.getInt32(at + 4, true) !== key.second) return false
  for (let i = 0; i < middle.length; i++) if (text.getInt32(at + 8 + i * 4, true) !== middle[i]) return false
  return true
}

/** Whether `json[start, end)`, quotes included, equals the name byte for byte. */
export function nameStandsAt({ bytes, length }: Key, json: Uint8Array, start: number, end: number): boolean {
  if (end - start !== length - 1) return false
  for (let i = 0; i < length - 1; i++) if (json[start + i] !== bytes[i]) return false
  return true
}

/** Whether `json[start, end)`, quotes included, is this name. It may contain escapes. */
export function isNameAt(key: Key, json: Uint8Array, start: number, end: number): boolean {
  return nameStandsAt(key, json, start, end) || (hasEscape(json, start, end) && stringAt(json, start, end) === key.name)
}
