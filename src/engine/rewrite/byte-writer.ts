import type { Piece } from '../../mapping/piece.ts'
import { viewOf } from '../json/json-bytes.ts'

/** From this length on the runtime copies faster than a loop: before, calling it costs more than the bytes. */
const LONG_RUN = 160

/** What is copied at a time. */
const WORD = 4
const LONG_WORD = 8

/** From this size on the bytes have memory of their own, so that they can be given back alone; Node's shared buffers cannot. */
const OWN_MEMORY = 4_096

/** Bytes that grow as they are written. */
export class ByteWriter {
  #bytes: Buffer
  #view: DataView
  #length = 0

  /** `expected`: how many bytes will be written, as near as is known. */
  constructor(expected: number) {
    this.#bytes = expected < OWN_MEMORY ? Buffer.allocUnsafe(Math.max(expected, 64)) : Buffer.allocUnsafeSlow(expected)
    this.#view = viewOf(this.#bytes)
  }

  get length(): number {
    return this.#length
  }

  /** Takes back all but the first `length` bytes. */
  backTo(length: number): void {
    this.#length = length
  }

  byte(value: number): void {
    if (this.#length === this.#bytes.length) this.#grow(1)
    this.#bytes[this.#length++] = value
  }

  write({ text, view }: Piece): void {
    const { length } = text
    const at = this.#length
    if (at + length > this.#bytes.length) this.#grow(length)
    if (length >= WORD) copyWords(this.#view, at, view, 0, length)
    else for (let i = 0; i < length; i++) this.#bytes[at + i] = text[i] as number
    this.#length = at + length
  }

  append(bytes: Uint8Array): void {
    if (this.#length + bytes.length > this.#bytes.length) this.#grow(bytes.length)
    this.#bytes.set(bytes, this.#length)
    this.#length += bytes.length
  }

  /** Appends `from[start, end)`; `view` is over the same bytes. */
  copy(from: Buffer, view: DataView, start: number, end: number): void {
    const length = end - start
    const at = this.#length
    if (at + length > this.#bytes.length) this.#grow(length)
    if (length >= LONG_RUN) from.copy(this.#bytes, at, start, end)
    else if (length >= WORD) copyWords(this.#view, at, view, start, length)
    else for (let i = 0; i < length; i++) this.#bytes[at + i] = from[start + i] as number
    this.#length = at + length
  }

  /** What has been written; the writer is not used afterwards. */
  finish(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }

  #grow(by: number): void {
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#length + by))
    larger.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = larger
    this.#view = viewOf(larger)
  }
}

/** Copies a word or more; the last may overlap the one before it. What is only read and written makes no bigint. */
function copyWords(to: DataView, at: number, from: DataView, start: number, length: number): void {
  if (length >= LONG_WORD) {
    const last = length - LONG_WORD
    for (let i = 0; i < last; i += LONG_WORD) to.setBigInt64(at + i, from.getBigInt64(start + i, true), true)
    to.setBigInt64(at + last, from.getBigInt64(start + last, true), true)
    return
  }
  const last = length - WORD
  for (let i = 0; i < last; i += WORD) to.setInt32(at + i, from.getInt32(start + i, true), true)
  to.setInt32(at + last, from.getInt32(start + last, true), true)
}
