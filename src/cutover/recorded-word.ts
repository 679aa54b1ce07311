import type { AuditEntry } from './event.ts'

/** What a step says that was taken without a verdict, before the reason in the plan. */
export const NO_VERDICT = 'no verdict is needed'

/** Why v1 was given the last clients of an operation without proof, as the audit has it. */
export interface RecordedWord {
  /** Who ordered the step; undefined: the plan said that it needs no verdict. */
  readonly by: string | undefined
  /** ISO 8601. */
  readonly at: string
  readonly why: string
}

/** The events that say how the last percentage was reached. */
const MOVES: ReadonlySet<AuditEntry['event']> = new Set(['advanced', 'stopped', 'braked'])

/**
 * Returns the word on which the last step of an operation was taken. Undefined if a verdict was the reason, if the operation was taken
 * back since, or if no step is known.
 * @param entries of the audit, about this operation, newest first.
 */
export function recordedWord(entries: readonly AuditEntry[]): RecordedWord | undefined {
  const last = entries.find(({ event }) => MOVES.has(event))
  if (last?.event !== 'advanced') return undefined
  const { by, at, why } = last
  if (by !== 'auto') return { by, at, why }
  const [, ...reason] = why.split(`${NO_VERDICT} `)
  return reason.length === 0 ? undefined : { by: undefined, at, why: reason.join('').replace(/^\((.*)\)$/s, '$1') }
}
