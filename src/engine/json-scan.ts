/**
 * Walking JSON text (RFC 8259) as bytes. Each function takes a position and returns the one after what it walked, or throws
 * a JsonError. Exactly what `JSON.parse` accepts is accepted; nothing is decoded and no object is built.
 */

/** The text is not JSON; `position` counts bytes from 0. */
export class JsonError extends Error {
  override readonly name = 'JsonError'
  readonly position: number

  constructor(position: number) {
    super(`not JSON at byte ${position}`)
    this.position = position
  }
}

export const QUOTE = 0x22
export const COMMA = 0x2c
export const COLON = 0x3a
export const OPEN_OBJECT = 0x7b
export const CLOSE_OBJECT = 0x7d
export const OPEN_ARRAY = 0x5b
export const CLOSE_ARRAY = 0x5d
const BACKSLASH = 0x5c
const MINUS = 0x2d

/** 1 for the bytes at which a string is more than text: the quote, the backslash and control characters. */
const STOPS = new Uint8Array(256).map((_, byte) => (byte < 0x20 || byte === QUOTE || byte === BACKSLASH ? 1 : 0))
const SPACES = new Uint8Array(256).map((_, byte) =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 9 ? 1 : 0,
)
const DIGITS = new Uint8Array(256).map((_, byte) => (byte >= 0x30 && byte <= 0x39 ? 1 : 0))
const HEX = new Uint8Array(256).map((_, byte) => (/[0-9a-fA-F]/.test(String.fromCharCode(byte)) ? 1 : 0))
/** What may follow a backslash, `u` aside. */
const ESCAPES = new Uint8Array(256).map((_, byte) => ('"\\/bfnrt'.includes(String.fromCharCode(byte)) ? 1 : 0))

const TRUE = [0x74, 0x72, 0x75, 0x65]
const FALSE = [0x66, 0x61, 0x6c, 0x73, 0x65]
const NULL = [0x6e, 0x75, 0x6c, 0x6c]

export function skipSpace(json: Uint8Array, at: number): number {
  while (SPACES[json[at] ?? 0] === 1) at++
  return at
}

/** `at` is the opening quote. */
export function skipString(json: Uint8Array, at: number): number {
  at++
  for (;;) {
    while (STOPS[json[at] as number] === 0) at++
    const stop = json[at]
    if (stop === QUOTE) return at + 1
    if (stop !== BACKSLASH) throw new JsonError(at)
    at = skipEscape(json, at)
  }
}

function skipEscape(json: Uint8Array, at: number): number {
  const letter = json[at + 1] ?? 0
  if (ESCAPES[letter] === 1) return at + 2
  if (letter !== 0x75) throw new JsonError(at)
  for (let i = at + 2; i < at + 6; i++) if (HEX[json[i] ?? 0] !== 1) throw new JsonError(i)
  return at + 6
}

function skipDigits(json: Uint8Array, at: number): number {
  if (DIGITS[json[at] ?? 0] !== 1) throw new JsonError(at)
  do at++
  while (DIGITS[json[at] ?? 0] === 1)
  return at
}

function skipNumber(json: Uint8Array, at: number): number {
  if (json[at] === MINUS) at++
  at = json[at] === 0x30 ? at + 1 : skipDigits(json, at)
  if (json[at] === 0x2e) at = skipDigits(json, at + 1)
  if (json[at] === 0x65 || json[at] === 0x45) {
    at++
    if (json[at] === 0x2b || json[at] === MINUS) at++
    at = skipDigits(json, at)
  }
  return at
}

function skipWord(json: Uint8Array, at: number, word: readonly number[]): number {
  for (const byte of word) if (json[at++] !== byte) throw new JsonError(at - 1)
  return at
}

function skipScalar(json: Uint8Array, at: number): number {
  const first = json[at]
  if (first === QUOTE) return skipString(json, at)
  if (first === 0x74) return skipWord(json, at, TRUE)
  if (first === 0x66) return skipWord(json, at, FALSE)
  if (first === 0x6e) return skipWord(json, at, NULL)
  return skipNumber(json, at)
}

/** Walks one value, however deep, without recursion. */
export function skipValue(json: Uint8Array, at: number): number {
  const first = json[at]
  return first === OPEN_OBJECT || first === OPEN_ARRAY ? skipContainer(json, at) : skipScalar(json, at)
}

/** Room for the first levels of a walk; walks do not nest, so one is enough. */
const LEVELS = new Uint8Array(1024)

/** Walks an object or array. The stack of open containers holds one byte a level: 1 for an object, 0 for an array. */
function skipContainer(json: Uint8Array, at: number): number {
  let open = LEVELS
  let depth = 0
  for (;;) {
    const isObject = json[at] === OPEN_OBJECT
    if (isObject || json[at] === OPEN_ARRAY) {
      if (depth === open.length) open = grown(open)
      open[depth++] = isObject ? 1 : 0
      at = skipSpace(json, at + 1)
      if (json[at] !== (isObject ? CLOSE_OBJECT : CLOSE_ARRAY)) {
        if (isObject) at = skipKey(json, at)
        continue
      }
      at++
      depth--
    } else {
      at = skipScalar(json, at)
    }
    for (;;) {
      if (depth === 0) return at
      at = skipSpace(json, at)
      const inObject = open[depth - 1] === 1
      if (json[at] === COMMA) {
        at = skipSpace(json, at + 1)
        if (inObject) at = skipKey(json, at)
        break
      }
      if (json[at] !== (inObject ? CLOSE_OBJECT : CLOSE_ARRAY)) throw new JsonError(at)
      at++
      depth--
    }
  }
}

/** Walks a key and its colon to the start of the value. */
function skipKey(json: Uint8Array, at: number): number {
  if (json[at] !== QUOTE) throw new JsonError(at)
  return skipColon(json, skipString(json, at))
}

/** Walks the colon after a key to the start of the value. */
export function skipColon(json: Uint8Array, at: number): number {
  at = skipSpace(json, at)
  if (json[at] !== COLON) throw new JsonError(at)
  return skipSpace(json, at + 1)
}

function grown(stack: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(stack.length * 2)
  larger.set(stack)
  return larger
}
