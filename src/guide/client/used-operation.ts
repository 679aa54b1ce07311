/** How many calls showed what, by name. */
export type Marks = Readonly<Record<string, number>>

/** What a guide reads of a client's use of an operation. Names and counts mean what they mean in `usage/usage.ts`. */
export interface UsedOperation {
  readonly operation: string
  readonly calls: number
  /** ISO 8601. */
  readonly firstAt: string
  readonly lastAt: string
  readonly seen: WhatWasSeen
  /** Its last successful call, redacted; undefined: nobody kept one. */
  readonly example: ExampleCall | undefined
}

export interface WhatWasSeen {
  readonly calls: number
  readonly members: Marks
  readonly empty: Marks
  readonly removed: Marks
  readonly other: number
  readonly answered: Marks
  readonly statuses: Marks
  readonly violations: Marks
  readonly languages: Marks
}

export interface ExampleCall {
  readonly query: string
  readonly language: 'tr' | 'en'
  readonly body: string | undefined
}

/** Whether calls showed this name. */
export const shows = (marks: Marks, name: string): boolean => countOf(marks, name) > 0

/** Returns how many calls showed this name, whatever it is. */
export const countOf = (marks: Marks, name: string): number => (Object.hasOwn(marks, name) ? (marks[name] ?? 0) : 0)

/** Whether a call succeeded. */
export const hasSucceeded = ({ statuses, answered }: WhatWasSeen): boolean =>
  Object.keys(statuses).some((status) => status.startsWith('2')) || Object.keys(answered).length > 0

/** Returns the errors by status, and by status and code. */
export const errorsIn = ({ statuses }: WhatWasSeen): readonly (readonly [status: string, calls: number])[] =>
  Object.entries(statuses).filter(([status]) => /^[45]/.test(status))
