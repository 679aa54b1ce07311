import { viewOf } from '../../../engine/json/scan-json.ts'
import { skipValue, startOfText, textOf, typeAt, walkItems, walkObject } from '../../../engine/json/walk-json.ts'
import { decimalOf, ExactNumber, formOf } from '../diff/decimal.ts'
import { canonicalText, isNumber, type JsonValue } from '../diff/json-value.ts'

/** A number with the digits that v1 wrote. */
class WrittenNumber extends ExactNumber {
  readonly written: string

  constructor(written: string) {
    const number = decimalOf(written)
    super(canonicalText(number), formOf(number))
    this.written = written
  }
}

/** Returns a scalar as the JSON text that v1 wrote, but for escapes in texts. */
export function writtenText(value: JsonValue): string {
  if (value instanceof WrittenNumber) return value.written
  return isNumber(value) ? canonicalText(value) : JSON.stringify(value)
}

/** Larger bodies are read in part; bytes. */
const MOST_BYTES = 128 * 1024

interface V1Body {
  /** Undefined: it is not JSON. */
  readonly json: JsonValue | undefined
  /** Whether only the first items were read, and no `meta`. */
  readonly isCut: boolean
}

/** Reads v1's body, of a large one only the first items. Unlike `readBody`, it keeps the digits of numbers as they are written. */
export function readV1Body(body: Uint8Array, mostBytes = MOST_BYTES): V1Body {
  try {
    if (body.length <= mostBytes) return { json: parse(Buffer.from(body).toString()), isCut: false }
    return { json: { items: firstItems(body, mostBytes) }, isCut: true }
  } catch {
    return { json: undefined, isCut: false }
  }
}

/** Numbers that `JSON.parse` may not give back as they are written. Texts that hold one only cost time. */
const UNUSUAL = /\.\d*0(?!\d)|\d[eE][+-]?\d|\d{16}|\d\.\d{15}|-0(?![.\d])/

function parse(text: string): JsonValue {
  if (!UNUSUAL.test(text)) return JSON.parse(text) as JsonValue
  const keepDigits = (_: string, value: unknown, context?: { readonly source?: string }): unknown =>
    typeof value === 'number' && context?.source !== undefined && context.source !== String(value)
      ? new WrittenNumber(context.source)
      : value
  return JSON.parse(text, keepDigits) as JsonValue
}

/** Thrown to end a walk. */
const ENOUGH = new Error('enough items')

function firstItems(body: Uint8Array, mostBytes: number): JsonValue {
  const text = viewOf(body)
  let [first, end] = [0, 0]
  try {
    walkObject(body, startOfText(body), (name, at) => {
      if (name !== 'items' || typeAt(body, at) !== 'array') return skipValue(body, at)
      return walkItems(text, at, body.length, (itemAt) => {
        first ||= itemAt
        if (itemAt - first > mostBytes) throw ENOUGH
        end = skipValue(body, itemAt)
        return end
      })
    })
  } catch (error) {
    if (error !== ENOUGH) throw error
  }
  return parse(`[${textOf(body, first, end)}]`)
}
