import type { Marks, Seen } from '../../usage/usage.ts'

/** What a guide needs to know about a client's use of an operation. */
export interface UsedOperation {
  readonly operation: string
  readonly calls: number
  /** ISO 8601. */
  readonly firstAt: string
  readonly lastAt: string
  readonly seen: Seen
  /** Its last successful call, redacted; undefined: none was kept. */
  readonly example: ExampleCall | undefined
}

interface ExampleCall {
  readonly query: string
  readonly language: 'tr' | 'en'
  readonly body: string | undefined
}

/** Whether calls showed this name. */
export const shows = (marks: Marks, name: string): boolean => countOf(marks, name) > 0

/** Returns how many calls showed this name. Any name may be asked for. */
export const countOf = (marks: Marks, name: string): number => (Object.hasOwn(marks, name) ? (marks[name] ?? 0) : 0)

/** Whether a call succeeded. */
export const hasSucceeded = ({ statuses, answered }: Seen): boolean =>
  Object.keys(statuses).some((status) => status.startsWith('2')) || Object.keys(answered).length > 0

/** Returns the errors by status, and by status and code. */
export const errorsIn = ({ statuses }: Seen): readonly (readonly [status: string, calls: number])[] =>
  Object.entries(statuses).filter(([status]) => /^[45]/.test(status))
