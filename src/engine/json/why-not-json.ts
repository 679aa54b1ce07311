import { isUtf8 } from 'node:buffer'
import { JsonError, skipValue } from './json-scan.ts'
import { endOfText, startOfText } from './json-walk.ts'

/** What a text is instead of JSON. `cut off`: JSON that ends too early. */
export type NotJson = 'empty' | 'gzip' | 'not UTF-8' | 'HTML or XML' | 'cut off' | 'not JSON'

const LESS_THAN = 0x3c

/** Says what a text is that is not JSON. @param position where it stops being JSON, in bytes from 0. */
export function whyNotJson(text: Uint8Array, position: number): NotJson {
  const start = startOfText(text)
  if (start >= text.length) return 'empty'
  if (text[0] === 0x1f && text[1] === 0x8b) return 'gzip'
  if (!isUtf8(text)) return 'not UTF-8'
  if (text[start] === LESS_THAN) return 'HTML or XML'
  return position >= text.length ? 'cut off' : 'not JSON'
}

/** Returns where a text stops being JSON, in bytes from 0; undefined: it is JSON. */
export function endOfJson(text: Uint8Array): number | undefined {
  try {
    endOfText(text, skipValue(text, startOfText(text)))
    return undefined
  } catch (error) {
    if (error instanceof JsonError) return error.position
    throw error
  }
}
