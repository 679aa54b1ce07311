import { ByteWriter } from './byte-writer.ts'
import { COMMA } from './json-scan.ts'

const NONE = -1

/**
 * Writes a text that is mostly a copy of another. What stays as it is belongs to a run, which goes on until it is cut, so
 * that untouched neighbours are copied in one piece, white space and all. It also keeps account of commas.
 */
export class RunWriter {
  readonly #source: Buffer
  readonly #out: ByteWriter
  /** Where the bytes start that are still to be copied; NONE while something is left out. */
  #run = NONE
  /** Whether the object being written has a member already. */
  hasMember = false

  constructor(source: Uint8Array, expected: number) {
    this.#source = Buffer.from(source.buffer, source.byteOffset, source.byteLength)
    this.#out = new ByteWriter(expected)
  }

  /** From `at` on the source is copied, until it is cut. */
  resume(at: number): void {
    if (this.#run === NONE) this.#run = at
  }

  /** Copies what is still to be copied, up to `end`; what follows is left out until something is resumed. */
  cut(end: number): void {
    if (this.#run !== NONE) {
      this.#out.copy(this.#source, this.#run, end)
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
  write(bytes: Uint8Array): void {
    this.#out.write(bytes)
  }

  /** What has been written; the writer is not used afterwards. */
  finish(): Buffer {
    return this.#out.finish()
  }
}
