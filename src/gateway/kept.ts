import { Transform } from 'node:stream'

/** What is kept of a call that is compared or recorded, while it is under way. */
export interface Kept {
  /** The request's body. */
  readonly request: Keeper
  /** The answer's body, where it is passed through. */
  readonly answer: Keeper
}

export interface Keeper {
  add(chunk: Uint8Array): void
  /** Undefined when it was too large to be kept. */
  whole(): Uint8Array | undefined
}

/** Larger bodies are passed through without being kept. */
export const MAX_KEPT = 32 * 1024 * 1024

export const newKept = (): Kept => ({ request: keeper(), answer: keeper() })

function keeper(): Keeper {
  let chunks: Uint8Array[] | undefined = []
  let length = 0
  return {
    add(chunk) {
      length += chunk.length
      if (length > MAX_KEPT) chunks = undefined
      chunks?.push(chunk)
    },
    whole: () => chunks && Buffer.concat(chunks, length),
  }
}

/** Passes chunks on, and keeps them. */
export function keeping(kept: Keeper): Transform {
  return new Transform({
    transform(chunk: Uint8Array, _, done) {
      kept.add(chunk)
      done(null, chunk)
    },
  })
}
