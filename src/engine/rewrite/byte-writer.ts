import { BYTES, bufferOf, viewOf } from '../json/scan-json.ts'

/** A short byte sequence that is written often, ready to be copied in words. `view` covers the same bytes as `text`. */
export interface Piece {
  readonly text: Uint8Array
  readonly view: DataView
}

/**
 * Encodes a text as a piece.
 *
 * @example
 * const open = pieceOf('{"data":[')
 * out.write(open)
 */
export function pieceOf(written: string): Piece {
  const text = new TextEncoder().encode(written)
  return { text, view: new DataView(text.buffer, text.byteOffset, text.byteLength) }
}

/** From this length on, the runtime copies faster than a loop. Below it, the call costs more than the copy. */
const LONG_RUN = 160

/** The bytes that one step copies. */
const WORD = 4
const LONG_WORD = 8

/** From this size on, a writer has its own memory, which can be freed alone. Node's pooled buffers cannot. */
const OWN_MEMORY = 4_096

/** A growing byte buffer. */
export class ByteWriter {
  #bytes: Buffer
  #view: DataView
  #length = 0

  /** `expected` estimates how many bytes will be written. */
  constructor(expected: number) {
    this.#bytes = expected < OWN_MEMORY ? Buffer.allocUnsafe(Math.max(expected, 64)) : Buffer.allocUnsafeSlow(expected)
    this.#view = viewOf(this.#bytes)
  }

  get length(): number {
    return this.#length
  }

  /** Discards all but the first `length` bytes. */
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

  /** Appends `from[start, end)`. `view` covers the same bytes. */
  copy(from: Buffer, view: DataView, start: number, end: number): void {
    const length = end - start
    const at = this.#length
    if (at + length > this.#bytes.length) this.#grow(length)
    if (length >= LONG_RUN) from.copy(this.#bytes, at, start, end)
    else if (length >= WORD) copyWords(this.#view, at, view, start, length)
    else for (let i = 0; i < length; i++) this.#bytes[at + i] = from[start + i] as number
    this.#length = at + length
  }

  /** Returns the bytes written. Do not use the writer afterwards. */
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

/**
 * Copies at least one word. The last may overlap the one before it. A bigint that is only read and written is never
 * allocated.
 */
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

const { COMMA } = BYTES

const NONE = -1

/**
 * Writes a text that is mostly a copy of another. Unchanged bytes form a run that goes on until it is cut, so untouched
 * neighbours are copied in one piece, white space included. It also places the commas.
 */
export class RunWriter {
  readonly #source: Buffer
  readonly #view: DataView
  readonly #out: ByteWriter
  /** The start of the current run. NONE while source bytes are left out. */
  #run = NONE
  /** Whether the object being written already has a member. */
  hasMember = false

  /** `view` covers the source. `into` is a writer to append to, or an estimate of the length. */
  constructor(source: Uint8Array, view: DataView, into: ByteWriter | number) {
    this.#source = bufferOf(source)
    this.#view = view
    this.#out = typeof into === 'number' ? new ByteWriter(into) : into
  }

  /** Starts a run at `at`, unless one is open. */
  resume(at: number): void {
    if (this.#run === NONE) this.#run = at
  }

  /** Copies the current run up to `end`. The source is then left out until the next run starts. */
  cut(end: number): void {
    if (this.#run !== NONE) {
      this.#out.copy(this.#source, this.#view, this.#run, end)
      this.#run = NONE
    }
  }

  /** Keeps a member from its key on: it joins the current run, or starts one. */
  keepMember(keyAt: number): void {
    if (this.#run === NONE) {
      this.separate()
      this.#run = keyAt
    }
    this.hasMember = true
  }

  /** Writes a comma, unless the next member is the first of its object. */
  separate(): void {
    if (this.hasMember) this.#out.byte(COMMA)
    this.hasMember = true
  }

  /** Writes one byte. Only between runs. */
  byte(value: number): void {
    this.#out.byte(value)
  }

  /** Writes a piece. Only between runs. */
  write(piece: Piece): void {
    this.#out.write(piece)
  }

  /** Writes bytes of any length. Only between runs. */
  append(bytes: Uint8Array): void {
    this.#out.append(bytes)
  }

  /** Returns the bytes written. Do not use the writer afterwards. */
  finish(): Buffer {
    return this.#out.finish()
  }
}
