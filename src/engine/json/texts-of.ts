import { isAscii } from 'node:buffer'
import { bufferOf } from './json-bytes.ts'
import { stringAt, textOf } from './json-walk.ts'

/** Decodes parts of a JSON text. */
export interface Texts {
  /** Decodes `json[start, end)`. */
  text(start: number, end: number): string
  /** Returns the value of the string in `json[start, end)`, which includes its quotes. */
  string(start: number, end: number): string
}

/** Prepares a JSON text for many look-ups. ASCII without escapes, as in most requests, is decoded once for all of them. */
export function textsOf(json: Uint8Array): Texts {
  const letters = isAscii(json) ? bufferOf(json).toString('latin1') : '\\'
  if (!letters.includes('\\')) {
    return {
      text: (start, end) => letters.slice(start, end),
      string: (start, end) => letters.slice(start + 1, end - 1),
    }
  }
  return {
    text: (start, end) => textOf(json, start, end),
    string: (start, end) => stringAt(json, start, end),
  }
}
