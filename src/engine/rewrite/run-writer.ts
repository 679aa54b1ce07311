import { BYTES, bufferOf, viewOf } from '../json/scan-json.ts'

const { COMMA } = BYTES

/** A short byte sequence that is written often, ready to be copied in words. `view` covers the same bytes as `text`. */
export interface Piece {
  readonly text: Uint8Array
  readonly view: DataView
}

/** Encodes a text as a piece. */
export function pieceOf(written: string): Piece {
  const text = new TextEncoder().encode(written)
  return { text, view: viewOf(text) }
}

/** From this length on, the runtime copies faster than a loop. Below it, the call costs more than the copy. */
const LONG_RUN = 160

/** The bytes that one step copies. */
const WORD = 4
const LONG_WORD = 8

/** From this size on, a writer has its own memory, which can be freed alone. Node's pooled buffers cannot. */
const OWN_MEMORY = 4_096

const NONE = -1

/**
 * Writes a text that is mostly a copy of another. Unchanged bytes form a run that goes on until it is cut, so untouched
 * neighbours are copied in one piece, white space included. It also places the commas.
 */
export class RunWriter {
  #source: Buffer
  #sourceView: DataView
  #bytes: Buffer
  #view: DataView
  #length = 0
  /** The start of the current run. NONE while source bytes are left out. */
  #run = NONE
  /** Whether the object being written already has a member. */
  hasMember = false

  /** `view` covers the source. `expected` estimates how many bytes will be written. */
  constructor(source: Uint8Array, view: DataView, expected: number) {
    this.#source = bufferOf(source)
    this.#sourceView = view
    this.#bytes = expected < OWN_MEMORY ? Buffer.allocUnsafe(Math.max(expected, 64)) : Buffer.allocUnsafeSlow(expected)
    this.#view = viewOf(this.#bytes)
  }

  /** Goes on with another source. Only between runs. */
  goOnWith(source: Uint8Array, view: DataView): void {
    this.#source = bufferOf(source)
    this.#sourceView = view
  }

  /** Starts a run at `at`, unless one is open. */
  resume(at: number): void {
    if (this.#run === NONE) this.#run = at
  }

  /** Copies the current run up to `end`. The source is then left out until the next run starts. */
  cut(end: number): void {
    if (this.#run === NONE) return
    const start = this.#run
    const length = end - start
    const at = this.#length
    this.#makeRoom(length)
    if (length >= LONG_RUN) this.#source.copy(this.#bytes, at, start, end)
    else if (length >= WORD) copyWords(this.#view, at, this.#sourceView, start, length)
    else for (let i = 0; i < length; i++) this.#bytes[at + i] = this.#source[start + i] as number
    this.#length = at + length
    this.#run = NONE
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
    if (this.hasMember) this.byte(COMMA)
    this.hasMember = true
  }

  /** Writes one byte. Only between runs. */
  byte(value: number): void {
    this.#makeRoom(1)
    this.#bytes[this.#length++] = value
  }

  /** Writes a piece. Only between runs. */
  write({ text, view }: Piece): void {
    const { length } = text
    const at = this.#length
    this.#makeRoom(length)
    if (length >= WORD) copyWords(this.#view, at, view, 0, length)
    else for (let i = 0; i < length; i++) this.#bytes[at + i] = text[i] as number
    this.#length = at + length
  }

  /** Writes bytes of any length. Only between runs. */
  append(bytes: Uint8Array): void {
    this.#makeRoom(bytes.length)
    this.#bytes.set(bytes, this.#length)
    this.#length += bytes.length
  }

  /** Returns the bytes written. Do not use the writer afterwards. */
  finish(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }

  #makeRoom(length: number): void {
    if (this.#length + length <= this.#bytes.length) return
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#length + length))
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
  // Two words that overlap cover up to eight bytes.
  to.setInt32(at, from.getInt32(start, true), true)
  to.setInt32(at + length - WORD, from.getInt32(start + length - WORD, true), true)
}
