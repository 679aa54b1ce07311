export interface ConnectionLimits {
  /** How many connections are served at a time. */
  readonly limit: number
  /** How many more may wait, unread. */
  readonly maxWaiting: number
  /** How many refused clients at a time get a moment to read the refusal. */
  readonly maxLeaving: number
}

export interface ConnectionOptions extends ConnectionLimits {
  /** The JSON body of the answer to clients that are turned away. */
  readonly refusal: string
  /** Called when the limit is reached, and when there is room again. */
  readonly onFull?: ((isFull: boolean, counts: ConnectionCounts) => void) | undefined
}

export interface ConnectionCounts {
  /** Connections being served. */
  readonly open: number
  readonly limit: number
  readonly waiting: number
  /** Totals so far: idle connections closed to make room, and new ones turned away for lack of room. */
  readonly closedIdle: number
  readonly turnedAway: number
  /** The number of connections closed so far because what arrived could not be read as a request. */
  readonly unreadable: number
}
