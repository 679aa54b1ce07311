import type { ClientOperation } from '../../control-plane/usage/stored-usage.ts'
import type { Marks, Seen } from '../../control-plane/usage/usage.ts'
import type { TypicalCall } from '../../control-plane/usage/usage-examples.ts'

/** A client's use of an operation, as far as a guide needs it. */
export interface UsedOperation extends Pick<ClientOperation, 'operation' | 'calls' | 'firstAt' | 'lastAt' | 'seen'> {
  /** Its typical successful call, redacted; undefined: none was kept. */
  readonly example: Pick<TypicalCall, 'query' | 'language' | 'body' | 'alike' | 'of'> | undefined
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
