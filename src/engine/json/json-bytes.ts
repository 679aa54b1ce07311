/** The text is not JSON; `position` counts bytes from 0. */
export class JsonError extends Error {
  override readonly name = 'JsonError'
  readonly position: number

  constructor(position: number) {
    super(`not JSON at byte ${position}`)
    this.position = position
  }
}

/**
 * The bytes that JSON is made of. What is read for every member has names of its own for them (`const { COMMA } = BYTES`): an
 * imported constant is looked up in its module each time, whereas one of the module itself is known when it is compiled.
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
  /** No white space is above it, and nothing else up to it may stand between values. */
  SPACE: 0x20,
} as const

export const { QUOTE, COMMA, COLON, OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY, BACKSLASH } = BYTES

/** A JSON text as it is walked: a view reads single bytes and words of four alike. */
export const viewOf = (json: Uint8Array): DataView => new DataView(json.buffer, json.byteOffset, json.byteLength)

/** The same bytes, as a Buffer. */
export const bufferOf = (json: Uint8Array): Buffer =>
  Buffer.isBuffer(json) ? json : Buffer.from(json.buffer, json.byteOffset, json.byteLength)

/**
 * The byte at `at`; behind the end 0, which stands in no JSON text. `end` is the length of the text: asked of the view
 * itself for every byte, it would cost more than the byte.
 */
export const byteAt = (text: DataView, at: number, end: number): number => (at < end ? text.getUint8(at) : 0)
