/*
 * The scanner of JSON text (RFC 8259): the only code that knows where strings, numbers and containers end. Each function takes a
 * position, returns the position after what it walked, or throws a JsonError. It accepts exactly what `JSON.parse` accepts; it
 * decodes nothing and builds no objects. `end` is the length of the text. No function reads beyond it: after one such read the
 * runtime recompiles the code for a more general case, so one truncated text would slow down all later ones.
 */

/** What a text is instead of JSON. `cut off`: JSON that ends too early. */
export type NotJson = 'empty' | 'gzip' | 'not UTF-8' | 'HTML or XML' | 'cut off' | 'not JSON'

/** Thrown for a text that is not JSON. `position` counts bytes from 0. */
export class JsonError extends Error {
  override readonly name = 'JsonError'
  readonly position: number
  /** What the text is instead; undefined: nobody looked. */
  readonly what: NotJson | undefined

  constructor(position: number, what?: NotJson) {
    super(`not JSON at byte ${position}${what === undefined || what === 'not JSON' ? '' : `: ${what}`}`)
    this.position = position
    this.what = what
  }
}

/**
 * The structural bytes of JSON. Modules on the hot path declare their own constants (`const { COMMA } = BYTES`): the runtime
 * looks an imported or exported constant up on each use, but inlines one that a module keeps to itself.
 */
export const BYTES = {
  QUOTE: 0x22,
  COMMA: 0x2c,
  COLON: 0x3a,
  OPEN_OBJECT: 0x7b,
  CLOSE_OBJECT: 0x7d,
  OPEN_ARRAY: 0x5b,
  CLOSE_ARRAY: 0x5d,
  BACKSLASH: 0x5c,
  /** The highest white space. No other byte up to it is allowed between values. */
  SPACE: 0x20,
} as const

const { BACKSLASH, CLOSE_ARRAY, CLOSE_OBJECT, COLON, COMMA, OPEN_ARRAY, OPEN_OBJECT, QUOTE, SPACE } = BYTES
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
const SMALL_U = 0x75

/** Returns a view of a JSON text, which reads single bytes and four-byte words. */
export const viewOf = (json: Uint8Array): DataView => new DataView(json.buffer, json.byteOffset, json.byteLength)

/** Returns the same bytes as a Buffer. */
export const bufferOf = (json: Uint8Array): Buffer =>
  Buffer.isBuffer(json) ? json : Buffer.from(json.buffer, json.byteOffset, json.byteLength)

/**
 * Returns the byte at `at`, or 0 after the end; no JSON text contains a 0. `end` is the length of the text: reading it
 * from the view would cost more than reading the byte.
 */
export const byteAt = (text: DataView, at: number, end: number): number => (at < end ? text.getUint8(at) : 0)

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

/** Walks one value of any depth, without recursion. */
export function scanValue(text: DataView, at: number, end: number): number {
  const first = byteAt(text, at, end)
  if (first === QUOTE) return scanString(text, at, end)
  if (first === OPEN_OBJECT || first === OPEN_ARRAY) return scanContainer(text, at, end)
  return scanBare(text, at, end, first)
}

/** The stack for the first levels of a walk. Walks do not nest, so all share it. */
const LEVELS = new Uint8Array(1024)

/**
 * Walks an object or array. The stack of open containers holds one byte per level: 1 for an object, 0 for an array. It repeats what
 * `walkTree` does: with calls for each value, passing over records and pages takes 1.3 to 1.4 times as long.
 */
function scanContainer(text: DataView, at: number, end: number): number {
  let open = LEVELS
  let depth = 0
  for (;;) {
    const first = byteAt(text, at, end)
    const isObject = first === OPEN_OBJECT
    if (isObject || first === OPEN_ARRAY) {
      if (depth === open.length) {
        const larger = new Uint8Array(depth * 2)
        larger.set(open)
        open = larger
      }
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

/** Walks the string whose opening quote is at `at`. */
export function scanString(text: DataView, at: number, end: number): number {
  at = scanPlain(text, at + 1, end)
  for (;;) {
    const stop = byteAt(text, at, end)
    if (stop === QUOTE) return at + 1
    if (stop !== BACKSLASH) throw new JsonError(at)
    at = scanPlain(text, scanEscape(text, at, end), end)
  }
}

/** Walks to the first byte that is not plain text: four bytes at a time, and one by one at the end of the JSON text. */
function scanPlain(text: DataView, at: number, end: number): number {
  const lastWord = end - 4
  while (at <= lastWord) {
    const stops = stopsIn(text.getInt32(at, true))
    if (stops !== 0) return at + ((31 - Math.clz32(stops & -stops)) >> 3)
    at += 4
  }
  while (at < end && stopsIn(text.getUint8(at) | NO_STOPS) === 0) at++
  return at
}

/** Three letters that fill up the word of a single byte. */
const NO_STOPS = 0x61616100

/**
 * Sets the highest bit of each of four bytes that is not plain text: a quote, a backslash or a control character. With
 * bit 0x02 flipped, exactly the quote and the control characters are below 0x21, and subtracting 0x21 sets their
 * highest bit. The subtraction may borrow from the following bytes, so only the first set bit is reliable.
 */
function stopsIn(word: number): number {
  const turned = word ^ 0x02020202
  const backslash = word ^ 0x5c5c5c5c
  return (((turned - 0x21212121) & ~turned) | ((backslash - 0x01010101) & ~backslash)) & 0x80808080
}

const HEX = new Uint8Array(256).map((_, byte) => (/[0-9a-fA-F]/.test(String.fromCharCode(byte)) ? 1 : 0))
/** The bytes that may follow a backslash, except `u`. */
const ESCAPES = new Uint8Array(256).map((_, byte) => ('"\\/bfnrt'.includes(String.fromCharCode(byte)) ? 1 : 0))

function scanEscape(text: DataView, at: number, end: number): number {
  const letter = byteAt(text, at + 1, end)
  if (ESCAPES[letter] === 1) return at + 2
  if (letter !== SMALL_U) throw new JsonError(at)
  for (let i = at + 2; i < at + 6; i++) if (HEX[byteAt(text, i, end)] !== 1) throw new JsonError(i)
  return at + 6
}

/** Four-byte words, little-endian. */
const TRUE = 0x65757274
const ALSE = 0x65736c61
const NULL = 0x6c6c756e

/** Walks a number, true, false or null. `first` is the byte at `at`. */
function scanBare(text: DataView, at: number, end: number, first: number): number {
  if (first === SMALL_T) return scanWord(text, at, end, at, TRUE)
  if (first === SMALL_F) return scanWord(text, at, end, at + 1, ALSE)
  if (first === SMALL_N) return scanWord(text, at, end, at, NULL)
  return scanNumber(text, at, end, first)
}

/** Walks true, false or null. `word` is its last four bytes, `wordAt` where they start. */
function scanWord(text: DataView, at: number, end: number, wordAt: number, word: number): number {
  if (wordAt + 4 <= end && text.getInt32(wordAt, true) === word) return wordAt + 4
  // Find the first wrong byte.
  const bytes = word === ALSE ? [SMALL_F] : []
  for (let shift = 0; shift < 32; shift += 8) bytes.push((word >> shift) & 0xff)
  throw new JsonError(at + bytes.findIndex((byte, index) => byteAt(text, at + index, end) !== byte))
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

/** Walks one or more digits. */
function scanDigits(text: DataView, at: number, end: number): number {
  if (!isDigit(byteAt(text, at, end))) throw new JsonError(at)
  do at++
  while (isDigit(byteAt(text, at, end)))
  return at
}

const isDigit = (byte: number): boolean => byte >= ZERO && byte <= NINE
