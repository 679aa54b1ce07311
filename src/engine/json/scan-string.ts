import { BYTES, byteAt, JsonError } from './json-bytes.ts'

const { BACKSLASH, QUOTE } = BYTES

const HEX = new Uint8Array(256).map((_, byte) => (/[0-9a-fA-F]/.test(String.fromCharCode(byte)) ? 1 : 0))
/** The bytes that may follow a backslash, except `u`. */
const ESCAPES = new Uint8Array(256).map((_, byte) => ('"\\/bfnrt'.includes(String.fromCharCode(byte)) ? 1 : 0))
const SMALL_U = 0x75

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

function scanEscape(text: DataView, at: number, end: number): number {
  const letter = byteAt(text, at + 1, end)
  if (ESCAPES[letter] === 1) return at + 2
  if (letter !== SMALL_U) throw new JsonError(at)
  for (let i = at + 2; i < at + 6; i++) if (HEX[byteAt(text, i, end)] !== 1) throw new JsonError(i)
  return at + 6
}
