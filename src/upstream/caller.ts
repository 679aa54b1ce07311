/** A client that waits for an answer, and may disconnect before it arrives. */
export interface Caller {
  /** Why the caller no longer waits. Undefined while it waits. */
  readonly gone: Error | undefined
  /** Calls `listener` once when the caller disconnects. */
  onGone(listener: GoneListener): void
  /** Removes a listener. */
  offGone(listener: GoneListener): void
  /** Whether connections of its address are not read, and more calls wait there and elsewhere than begin within a second. */
  readonly isOverloaded: boolean
  /** Notes that the call has a slot, so that the service is asked now. */
  asks(): void
  /** Notes that the call begins to wait for a slot, or no longer does. */
  waits(isWaiting: boolean): void
}

/** @param reason the caller's `gone`. */
export type GoneListener = (reason: Error) => void
