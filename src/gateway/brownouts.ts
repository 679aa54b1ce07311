/** A brownout that refuses a call. */
export interface BrownoutNow {
  /** Its number in the rollout file, from 1. */
  readonly n: number
  readonly status: number
  /** When it is over; ms since the epoch. */
  readonly until: number
}

/** Which calls are refused for a while, so that the last clients notice that the interface will go. */
export interface Brownouts {
  /** Before this time no call is refused; ms since the epoch. Infinity: no brownout is planned. */
  readonly from: number
  /** Returns the brownout that refuses a call which arrived at `now`; undefined: none does. */
  of(operation: string, client: string, now: number): BrownoutNow | undefined
}

/** No call is ever refused. */
export const NO_BROWNOUTS: Brownouts = { from: Number.POSITIVE_INFINITY, of: () => undefined }
