import { release } from './release.ts'

/** Room that is made for a body whose length nobody has said, before there is more of it. */
const LEAST_ROOM = 256 * 1024

/**
 * A large body, put together while it comes: in a piece of memory of the announced length, or one that doubles. So it is there
 * once only, and joining it holds up nobody.
 */
export class LargeBody {
  #whole: Buffer
  #length = 0
  /** Its memory is given back when the parser has come to another piece of it. */
  #last: Uint8Array | undefined

  /** @param announced its length in bytes; undefined: not known. */
  constructor(announced: number | undefined) {
    this.#whole = Buffer.allocUnsafeSlow(announced ?? LEAST_ROOM)
  }

  add(chunk: Uint8Array): void {
    if (this.#length + chunk.length > this.#whole.length) this.#grow(this.#length + chunk.length)
    this.#whole.set(chunk, this.#length)
    this.#length += chunk.length
    if (this.#last !== undefined && this.#last.buffer !== chunk.buffer) release(this.#last)
    this.#last = chunk
  }

  /** The body; nothing is added any more. */
  finish(): Uint8Array {
    return this.#whole.subarray(0, this.#length)
  }

  /** What came last, which the parser may still be reading. */
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
