import type { Operation } from '../../mapping/operation.ts'

/** The parts of a mapping that decide whether its calls can be compared. */
export type Subject = Pick<Operation, 'id' | 'v1' | 'effect' | 'login'>

/** Returns what kind of operation is never sent to a second service, and so never compared; undefined: it can be compared. */
export const neverCompared = ({ effect, login }: Pick<Subject, 'effect' | 'login'>): 'a write' | undefined =>
  effect === 'write' && login === undefined ? 'a write' : undefined

/**
 * Returns why none of an operation's calls is ever compared, whatever the file says; undefined: they can be compared.
 * @param hasLegacy whether there is a legacy service, so that both services are asked at each login.
 */
export function whyNeverCompared(subject: Subject, hasLegacy: boolean): string | undefined {
  if (subject.v1 === undefined) return 'v1 has no equivalent'
  return subject.login !== undefined && !hasLegacy ? 'a login for which only v1 is asked' : neverCompared(subject)
}

/** Whether an operation can have the verdict `ready`; writes are never compared. */
export const canBeReady = (subject: Subject): boolean => neverCompared(subject) === undefined

/**
 * Returns the operations that can be compared: reads, calculations and logins that v1 has, and also writes if copies of both services
 * are compared.
 */
export const comparableOf = (operations: readonly Operation[], withWrites = false): readonly string[] =>
  operations.flatMap((operation) =>
    operation.v1 !== undefined && (withWrites || canBeReady(operation)) ? [operation.id] : [],
  )

/**
 * Returns the operations of which calls can be sent again, to be compared: all that can be compared but logins, of which no credentials
 * are recorded.
 */
export const repeatableOf = (operations: readonly Operation[], withWrites = false): readonly string[] =>
  comparableOf(
    operations.filter(({ login }) => login === undefined),
    withWrites,
  )
