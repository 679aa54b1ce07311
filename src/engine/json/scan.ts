import { BYTES, byteAt, JsonError } from './json-bytes.ts'
import { scanString } from './scan-string.ts'

const { CLOSE_ARRAY, CLOSE_OBJECT, COLON, COMMA, OPEN_ARRAY, OPEN_OBJECT, QUOTE, SPACE } = BYTES

/*
 * Walks JSON text (RFC 8259). Each function takes a position, returns the position after what it walked, or throws a
 * JsonError. It accepts exactly what `JSON.parse` accepts; it decodes nothing and builds no objects. `end` is the
 * length of the text. No function reads beyond it: after one such read the runtime recompiles the code for a more
 * general case, so one truncated text would slow down all later ones.
 */

const PLUS = 0x2b
const MINUS = 0x2d
const POINT = 0x2e
const ZERO = 0x30
const NINE = 0x39
const LARGE_E = 0x45
const SMALL_E = 0x65
const SMALL_F = 0x66
const SMALL_N = 0x6e
const SMALL_T = 0x74

/** Four-byte words, little-endian. */
const TRUE = 0x65757274
const ALSE = 0x65736c61
const NULL = 0x6c6c756e

/** Walks white space. */
export function scanSpace(text: DataView, at: number, end: number): number {
  while (at < end) {
    const byte = text.getUint8(at)
    if (byte > SPACE || (byte !== SPACE && byte !== 0x0a && byte !== 0x0d && byte !== 0x09)) return at
    at++
  }
  return at
}

/** Walks the colon after a key to the start of the value. */
export function scanColon(text: DataView, at: number, end: number): number {
  at = scanSpace(text, at, end)
  if (byteAt(text, at, end) !== COLON) throw new JsonError(at)
  return scanSpace(text, at + 1, end)
}

const isDigit = (byte: number): boolean => byte >= ZERO && byte <= NINE

/** Walks one or more digits. */
function scanDigits(text: DataView, at: number, end: number): number {
  if (!isDigit(byteAt(text, at, end))) throw new JsonError(at)
  do at++
  while (isDigit(byteAt(text, at, end)))
  return at
}

/** Walks a number. `first` is the byte at `at`. */
function scanNumber(text: DataView, at: number, end: number, first: number): number {
  let byte = first
  if (byte === MINUS) byte = byteAt(text, ++at, end)
  if (byte === ZERO) byte = byteAt(text, ++at, end)
  else {
    if (!isDigit(byte)) throw new JsonError(at)
    do byte = byteAt(text, ++at, end)
    while (isDigit(byte))
  }
  if (byte === POINT) {
    at = scanDigits(text, at + 1, end)
    byte = byteAt(text, at, end)
  }
  if (byte !== SMALL_E && byte !== LARGE_E) return at
  const sign = byteAt(text, at + 1, end)
  return scanDigits(text, sign === PLUS || sign === MINUS ? at + 2 : at + 1, end)
}

/** Walks true, false or null. `word` is its last four bytes, `wordAt` where they start. */
function scanWord(text: DataView, at: number, end: number, wordAt: number, word: number): number {
  if (wordAt + 4 <= end && text.getInt32(wordAt, true) === word) return wordAt + 4
  // Find the first wrong byte.
  const bytes = word === ALSE ? [SMALL_F] : []
  for (let shift = 0; shift < 32; shift += 8) bytes.push((word >> shift) & 0xff)
  throw new JsonError(at + bytes.findIndex((byte, index) => byteAt(text, at + index, end) !== byte))
}

/** Walks a number, true, false or null. `first` is the byte at `at`. */
function scanBare(text: DataView, at: number, end: number, first: number): number {
  if (first === SMALL_T) return scanWord(text, at, end, at, TRUE)
  if (first === SMALL_F) return scanWord(text, at, end, at + 1, ALSE)
  if (first === SMALL_N) return scanWord(text, at, end, at, NULL)
  return scanNumber(text, at, end, first)
}

/** Walks one value of any depth, without recursion. */
export function scanValue(text: DataView, at: number, end: number): number {
  const first = byteAt(text, at, end)
  if (first === QUOTE) return scanString(text, at, end)
  if (first === OPEN_OBJECT || first === OPEN_ARRAY) return scanContainer(text, at, end)
  return scanBare(text, at, end, first)
}

/** The stack for the first levels of a walk. Walks do not nest, so all share it. */
const LEVELS = new Uint8Array(1024)

/** Walks an object or array. The stack of open containers holds one byte per level: 1 for an object, 0 for an array. */
function scanContainer(text: DataView, at: number, end: number): number {
  let open = LEVELS
  let depth = 0
  for (;;) {
    const first = byteAt(text, at, end)
    const isObject = first === OPEN_OBJECT
    if (isObject || first === OPEN_ARRAY) {
      if (depth === open.length) open = grown(open)
      open[depth++] = isObject ? 1 : 0
      at = scanSpace(text, at + 1, end)
      if (byteAt(text, at, end) !== (isObject ? CLOSE_OBJECT : CLOSE_ARRAY)) {
        if (isObject) at = scanKey(text, at, end)
        continue
      }
      at++
      depth--
    } else {
      at = first === QUOTE ? scanString(text, at, end) : scanBare(text, at, end, first)
    }
    for (;;) {
      if (depth === 0) return at
      at = scanSpace(text, at, end)
      const inObject = open[depth - 1] === 1
      const next = byteAt(text, at, end)
      if (next === COMMA) {
        at = scanSpace(text, at + 1, end)
        if (inObject) at = scanKey(text, at, end)
        break
      }
      if (next !== (inObject ? CLOSE_OBJECT : CLOSE_ARRAY)) throw new JsonError(at)
      at++
      depth--
    }
  }
}

/** Walks a key and its colon to the start of the value. */
function scanKey(text: DataView, at: number, end: number): number {
  if (byteAt(text, at, end) !== QUOTE) throw new JsonError(at)
  return scanColon(text, scanString(text, at, end), end)
}

function grown(stack: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(stack.length * 2)
  larger.set(stack)
  return larger
}
