/** Runs up to this length are copied in a loop: for them a call into the runtime costs more than the bytes. */
const SHORT_RUN = 32

/** From this size on the bytes have memory of their own, so that they can be given back alone; Node's shared buffers cannot. */
const OWN_MEMORY = 4_096

/** Bytes that grow as they are written. */
export class ByteWriter {
  #bytes: Buffer
  #length = 0

  /** `expected`: how many bytes will be written, as near as is known. */
  constructor(expected: number) {
    this.#bytes = expected < OWN_MEMORY ? Buffer.allocUnsafe(Math.max(expected, 64)) : Buffer.allocUnsafeSlow(expected)
  }

  get length(): number {
    return this.#length
  }

  byte(value: number): void {
    if (this.#length === this.#bytes.length) this.#grow(1)
    this.#bytes[this.#length++] = value
  }

  /** Appends a few bytes. */
  write(bytes: Uint8Array): void {
    const length = bytes.length
    if (this.#length + length > this.#bytes.length) this.#grow(length)
    const to = this.#bytes
    let at = this.#length
    for (let i = 0; i < length; i++) to[at++] = bytes[i] as number
    this.#length = at
  }

  /** Appends `from[start, end)`. */
  copy(from: Buffer, start: number, end: number): void {
    const length = end - start
    if (this.#length + length > this.#bytes.length) this.#grow(length)
    const to = this.#bytes
    let at = this.#length
    if (length > SHORT_RUN) from.copy(to, at, start, end)
    else for (let i = start; i < end; i++) to[at++] = from[i] as number
    this.#length += length
  }

  /** What has been written; the writer is not used afterwards. */
  finish(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }

  #grow(by: number): void {
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#length + by))
    larger.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = larger
  }
}
