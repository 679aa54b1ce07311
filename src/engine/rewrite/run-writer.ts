import type { Piece } from '../../mapping/piece.ts'
import { BYTES, bufferOf } from '../json/json-bytes.ts'
import { ByteWriter } from './byte-writer.ts'

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
