import type { Operation } from '../../mapping/operation.ts'

/** The parts of a mapping that decide whether its calls can be compared. */
export type Subject = Pick<Operation, 'id' | 'v1' | 'effect' | 'login'>

/** Returns what kind of operation is never sent to a second service, and so never compared; undefined: it can be compared. */
export function neverCompared({ effect, login }: Subject): 'a login' | 'a write' | undefined {
  if (login !== undefined) return 'a login'
  return effect === 'write' ? 'a write' : undefined
}

/** Returns why none of an operation's calls is ever compared, whatever the file says; undefined: they can be compared. */
export const whyNeverCompared = (subject: Subject): string | undefined =>
  subject.v1 === undefined ? 'v1 has no equivalent' : neverCompared(subject)

/** Whether an operation can have the verdict `ready`; writes and logins are never compared. */
export const canBeReady = (subject: Subject): boolean => neverCompared(subject) === undefined

/**
 * Returns the operations that can be compared: reads and calculations that v1 has, and also writes if copies of both services are
 * compared. Logins cannot, because each service issues its own token.
 */
export const comparableOf = (operations: readonly Operation[], withWrites = false): readonly string[] =>
  operations.flatMap(({ id, v1, login, effect }) =>
    v1 !== undefined && login === undefined && (withWrites || effect !== 'write') ? [id] : [],
  )
