import { Transform } from 'node:stream'
import type { CaptureLimits } from '../../exchange/exchange.ts'
import { Holder, type MemoryBudget } from '../upstream/memory-budget.ts'

/** Larger bodies are passed through and never captured. */
export const MAX_CAPTURED = 32 * 1024 * 1024

/**
 * Captures the bodies of a running call, to be compared or recorded. A class, because thousands of calls may wait at a time: with
 * functions of its own for each call, a waiting call took 1.8 KB more.
 */
export class BodyCapture {
  /** The request's body. */
  readonly request: CapturedBody
  /** The answer's body, if it is passed through. */
  readonly answer: CapturedBody
  readonly #memory: MemoryBudget | undefined
  readonly #limits: CaptureLimits
  readonly #holder = new Holder()

  /** @param memory undefined: memory is not counted. */
  constructor(memory: MemoryBudget | undefined, limits: CaptureLimits) {
    this.#memory = memory
    this.#limits = limits
    this.request = new CapturedBody(this, limits.mostBytes)
    this.answer = new CapturedBody(this, limits.mostBytes)
  }

  /** Takes memory for a part of a body. Returns false if there is none. */
  hold(bytes: number): boolean {
    return this.#memory?.holdBeside(this.#holder, bytes, this.#limits.isMissed ? 'comparison' : undefined) !== false
  }

  /** Whether a body of this size is wanted. */
  takes(bytes: number): boolean {
    return this.#limits.isMissed || bytes <= this.#limits.mostBytes
  }

  /** Releases the memory that it holds. */
  letGo(): void {
    this.#memory?.end(this.#holder)
  }
}

/** One body. */
class CapturedBody {
  readonly #capture: BodyCapture
  readonly #mostBytes: number
  /** Empty until something is added; undefined once it is lost. */
  #chunks: Uint8Array[] | undefined = NO_CHUNKS
  #length = 0

  constructor(capture: BodyCapture, mostBytes: number) {
    this.#capture = capture
    this.#mostBytes = mostBytes
  }

  add(chunk: Uint8Array): void {
    if (this.#chunks === NO_CHUNKS) this.#chunks = []
    if (this.#chunks === undefined) return
    this.#length += chunk.length
    if (this.#length > this.#mostBytes || !this.#capture.hold(chunk.length)) this.#chunks = undefined
    this.#chunks?.push(chunk)
  }

  /** Returns a stream that passes chunks on and adds them. */
  stream(): Transform {
    return new Transform({
      transform: (chunk: Uint8Array, _, done) => {
        this.add(chunk)
        done(null, chunk)
      },
    })
  }

  /** Returns the whole body; undefined if it was too large or there was no memory for it. */
  whole(): Uint8Array | undefined {
    const chunks = this.#chunks
    return chunks && (chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, this.#length))
  }

  get isLost(): boolean {
    return this.#chunks === undefined
  }

  /** Whether anything was added, even nothing but an empty body. */
  get hasBegun(): boolean {
    return this.#chunks !== NO_CHUNKS
  }
}

/** Stands for the chunks of a body that has not begun. Never written to. */
const NO_CHUNKS: Uint8Array[] = []
