import { Transform } from 'node:stream'
import type { Keeping } from '../exchange/exchange.ts'
import type { Holder, MemoryBudget } from '../upstream/memory-budget.ts'

/** The bodies of a running call, kept to be compared or recorded. */
export interface Kept {
  /** The request's body. */
  readonly request: Keeper
  /** The answer's body, if it is passed through. */
  readonly answer: Keeper
  /** Whether a body of this size is wanted. */
  takes(bytes: number): boolean
  /** Releases the memory that it holds. */
  letGo(): void
}

export interface Keeper {
  add(chunk: Uint8Array): void
  /** Returns the whole body; undefined if it was too large to keep or there was no memory for it. */
  whole(): Uint8Array | undefined
  readonly isLost: boolean
  /** Whether anything was added, even nothing but an empty body. */
  readonly hasBegun: boolean
}

/** Larger bodies are passed through and never kept. */
export const MAX_KEPT = 32 * 1024 * 1024

/**
 * Creates the keepers of a call's bodies.
 * @param memory undefined: memory is not counted.
 * @param call holds the memory of the call itself.
 */
export function newKept(memory: MemoryBudget | undefined, { mostBytes, isMissed }: Keeping, call: Holder): Kept {
  const holder: Holder = { held: 0 }
  call.beside = holder
  const what = isMissed ? 'comparison' : undefined
  const hold = (bytes: number): boolean => memory?.holdBeside(holder, bytes, what) !== false
  return {
    ...{ request: keeper(hold, mostBytes), answer: keeper(hold, mostBytes) },
    takes: (bytes) => isMissed || bytes <= mostBytes,
    letGo: () => memory?.end(holder),
  }
}

function keeper(hold: (bytes: number) => boolean, mostBytes: number): Keeper {
  let chunks: Uint8Array[] | undefined = []
  let length = 0
  let hasBegun = false
  return {
    add(chunk) {
      hasBegun = true
      if (chunks === undefined) return
      length += chunk.length
      if (length > mostBytes || !hold(chunk.length)) chunks = undefined
      chunks?.push(chunk)
    },
    get isLost() {
      return chunks === undefined
    },
    get hasBegun() {
      return hasBegun
    },
    whole: () => chunks && (chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, length)),
  }
}

/** Returns a stream that passes chunks on and keeps them. */
export function keeping(kept: Keeper): Transform {
  return new Transform({
    transform(chunk: Uint8Array, _, done) {
      kept.add(chunk)
      done(null, chunk)
    },
  })
}
