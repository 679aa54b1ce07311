/** A client that waits for an answer, and may disconnect before it arrives. */
export interface Caller {
  /** Why the caller no longer waits. Undefined while it waits. */
  readonly gone: Error | undefined
  /** Calls `listener` once when the caller disconnects. Returns a function that removes the listener. */
  onGone(listener: (reason: Error) => void): () => void
}
