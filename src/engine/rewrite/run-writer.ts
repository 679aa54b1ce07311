import type { Piece } from '../../mapping/piece.ts'
import { BYTES, bufferOf } from '../json/json-bytes.ts'
import { ByteWriter } from './byte-writer.ts'

const { COMMA } = BYTES

const NONE = -1

/**
 * Writes a text that is mostly a copy of another. What stays as it is belongs to a run, which goes on until it is cut, so
 * that untouched neighbours are copied in one piece, white space and all. It also keeps account of commas.
 */
export class RunWriter {
  readonly #source: Buffer
  readonly #view: DataView
  readonly #out: ByteWriter
  /** Where the bytes start that are still to be copied; NONE while something is left out. */
  #run = NONE
  /** Whether the object being written has a member already. */
  hasMember = false

  /** `view` is over the source. `into`: where it is written, or how much is expected. */
  constructor(source: Uint8Array, view: DataView, into: ByteWriter | number) {
    this.#source = bufferOf(source)
    this.#view = view
    this.#out = typeof into === 'number' ? new ByteWriter(into) : into
  }

  /** From `at` on the source is copied, until it is cut. */
  resume(at: number): void {
    if (this.#run === NONE) this.#run = at
  }

  /** Copies what is still to be copied, up to `end`; what follows is left out until something is resumed. */
  cut(end: number): void {
    if (this.#run !== NONE) {
      this.#out.copy(this.#source, this.#view, this.#run, end)
      this.#run = NONE
    }
  }

  /** A member that stays as it is from its key on: it joins the run, or starts one behind what was left out. */
  keepMember(keyAt: number): void {
    if (this.#run === NONE) {
      this.separate()
      this.#run = keyAt
    }
    this.hasMember = true
  }

  /** A comma, unless what follows is the first member of its object. */
  separate(): void {
    if (this.hasMember) this.#out.byte(COMMA)
    this.hasMember = true
  }

  /** Only between runs: one byte of our own. */
  byte(value: number): void {
    this.#out.byte(value)
  }

  /** Only between runs: bytes of our own. */
  write(piece: Piece): void {
    this.#out.write(piece)
  }

  /** Only between runs: bytes of somebody else. */
  append(bytes: Uint8Array): void {
    this.#out.append(bytes)
  }

  /** What has been written; the writer is not used afterwards. */
  finish(): Buffer {
    return this.#out.finish()
  }
}
