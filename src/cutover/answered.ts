/** What one side answered. Counts only grow. */
export interface SideAnswers {
  readonly calls: number
  /** Calls answered with status 500 to 504. For v1, only those that are its own fault: they carry `X-Gateway-Error`. */
  readonly failures: number
  /** Durations of the calls that did not fail: buckets of a `Histogram`. */
  readonly times: readonly (readonly [bucket: number, times: number])[]
}

/** What both sides answered for an operation at one stage of its plan. */
export interface Answered {
  readonly operation: string
  /** `Position.stage`. */
  readonly stage: number
  readonly v1: SideAnswers
  readonly legacy: SideAnswers
}
