/** Somebody who waits for answers, and may go before they come. */
export interface Caller {
  /** Why nobody waits any more; undefined: somebody does. */
  readonly gone: Error | undefined
  /** Calls `listener`, once, when the caller goes; returns what takes that back. */
  onGone(listener: (reason: Error) => void): () => void
}
