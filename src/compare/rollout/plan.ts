/** How an operation moves from the legacy service to v1, step by step. Defaults are filled in. */
export interface Plan {
  /** The percentages of clients that v1 answers, one step after the other; they grow, above 0 and up to 100. */
  readonly steps: readonly number[]
  /** So many calls must v1 have answered at a step before the next one. */
  readonly calls: number
  /** So long must a step have lasted before the next one. */
  readonly minutes: number
  /** Steps that somebody must approve before they are taken. */
  readonly approve: readonly number[]
  /** When steps may be taken; undefined: at any time. */
  readonly window: Window | undefined
  readonly brake: Brake
  /** Why the steps may be taken without the verdict `ready`, as for a write, which is never compared; undefined: they may not. */
  readonly withoutVerdict: string | undefined
}

/** When a step may be taken, by the clocks of a place. */
export interface Window {
  /** Days of the week, 1 (Monday) to 7 (Sunday). */
  readonly days: readonly number[]
  /** `09:00`. */
  readonly from: string
  /** `16:00`; earlier than `from`: of the next day. */
  readonly to: string
  /** An IANA time zone: `Europe/Istanbul`. */
  readonly zone: string
}

/** What stops a plan. */
export interface Brake {
  /** So much may v1's share of failures be above the legacy service's own, 0 to 1. */
  readonly errors: number
  /** So many times the legacy service's p95, and 20 ms, may v1's p95 be. */
  readonly slowdown: number
}
