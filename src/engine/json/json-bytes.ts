import type { NotJson } from './why-not-json.ts'

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
 * looks an imported constant up on each use, but inlines a module's own.
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

export const { QUOTE, COMMA, COLON, OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY, BACKSLASH } = BYTES

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
