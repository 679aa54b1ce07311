import { pieceOf } from '../../mapping/piece.ts'
import { hasEscape, stringAt } from '../json/json-walk.ts'

/** A member's key, ready to be compared four bytes at a time. */
export interface Key {
  readonly name: string
  /** The name in quotes, with its colon. */
  readonly bytes: Uint8Array
  readonly length: number
  /** Its first four bytes, the four behind them, and its last, which may overlap the others; 0 where it is shorter. */
  readonly first: number
  readonly second: number
  readonly last: number
  /** What stands between them, in fours. */
  readonly middle: readonly number[]
}

/** A name as it is written, with its colon. */
export const keyOf = (name: string): string => `${JSON.stringify(name)}:`

export function readyKey(name: string): Key {
  const { text: bytes, view } = pieceOf(keyOf(name))
  const { length } = bytes
  const word = (at: number): number => (at >= 0 && at + 4 <= length ? view.getInt32(at, true) : 0)
  const middle = Array.from({ length: Math.max(((length - 1) >> 2) - 2, 0) }, (_, i) => word(8 + i * 4))
  return { name, bytes, length, first: word(0), second: word(4), last: word(length - 4), middle }
}

/** Whether this key stands at `at`, its colon right behind it. `end` is the length of the text. */
export function keyStandsAt(key: Key, text: DataView, at: number, end: number): boolean {
  const { length, middle } = key
  // An empty name is no whole word.
  if (length < 4 || at + length > end) return false
  if (text.getInt32(at, true) !== key.first || text.getInt32(at + length - 4, true) !== key.last) return false
  if (length <= 8) return true
  if (text.getInt32(at + 4, true) !== key.second) return false
  for (let i = 0; i < middle.length; i++) if (text.getInt32(at + 8 + i * 4, true) !== middle[i]) return false
  return true
}

/** Whether the name in `json[start, end)`, quotes included, is written as in this key. */
export function nameStandsAt({ bytes, length }: Key, json: Uint8Array, start: number, end: number): boolean {
  if (end - start !== length - 1) return false
  for (let i = 0; i < length - 1; i++) if (json[start + i] !== bytes[i]) return false
  return true
}

/** Whether this name stands in `json[start, end)`, quotes included and escapes allowed. */
export function isNameAt(key: Key, json: Uint8Array, start: number, end: number): boolean {
  return nameStandsAt(key, json, start, end) || (hasEscape(json, start, end) && stringAt(json, start, end) === key.name)
}
