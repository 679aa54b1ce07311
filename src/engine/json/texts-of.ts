import { isAscii } from 'node:buffer'
import { bufferOf } from './json-bytes.ts'
import { stringAt, textOf } from './json-walk.ts'

/** What stands in parts of a JSON text. */
export interface Texts {
  /** The text of `json[start, end)`. */
  text(start: number, end: number): string
  /** The string whose quoted form stands in `json[start, end)`. */
  string(start: number, end: number): string
}

/** For whoever asks for many parts of a text: one of plain letters only, as most requests are, is decoded once for all of them. */
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
