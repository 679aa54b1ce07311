import { release } from './release.ts'

/** The first buffer size for a body of unknown length. */
export const FIRST_SIZE = 256 * 1024

/**
 * A large body, assembled while it arrives in one buffer: of the announced length, or one that doubles as needed. So
 * memory holds the body only once, and no final join blocks the event loop.
 */
export class LargeBody {
  #whole: Buffer
  #length = 0
  /** The last chunk. Its memory is released once the parser delivers a chunk from other memory. */
  #last: Uint8Array | undefined

  /** @param announced the length in bytes; undefined if unknown. */
  constructor(announced: number | undefined) {
    this.#whole = Buffer.allocUnsafeSlow(announced ?? FIRST_SIZE)
  }

  add(chunk: Uint8Array): void {
    if (this.#length + chunk.length > this.#whole.length) this.#grow(this.#length + chunk.length)
    this.#whole.set(chunk, this.#length)
    this.#length += chunk.length
    if (this.#last !== undefined && this.#last.buffer !== chunk.buffer) release(this.#last)
    this.#last = chunk
  }

  /** Returns the body. Nothing may be added afterwards. */
  finish(): Uint8Array {
    return this.#whole.subarray(0, this.#length)
  }

  /** The last chunk, which the parser may still be reading. */
  get last(): Uint8Array | undefined {
    return this.#last
  }

  #grow(least: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(this.#whole.length * 2, least))
    larger.set(this.#whole.subarray(0, this.#length))
    release(this.#whole)
    this.#whole = larger
  }
}
