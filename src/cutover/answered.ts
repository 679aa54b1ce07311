/** What one side answered. Counts only grow. */
export interface SideAnswers {
  readonly calls: number
  /** Of them, those with status 500 to 504; of v1 only those that it is to blame for, which have `X-Gateway-Error`. */
  readonly failures: number
  /** Durations of the others: buckets of a `Histogram`. */
  readonly times: readonly (readonly [bucket: number, times: number])[]
}

/** What both sides answered of an operation at one stage of its plan. */
export interface Answered {
  readonly operation: string
  /** `Position.stage`. */
  readonly stage: number
  readonly v1: SideAnswers
  readonly legacy: SideAnswers
}
