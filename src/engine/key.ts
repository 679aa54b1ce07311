import { QUOTE } from './json-scan.ts'

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

/** A name as it is written, with its colon. */
export const keyOf = (name: string): Uint8Array => new TextEncoder().encode(`${JSON.stringify(name)}:`)
