import type { Operation } from '../../mapping/operation.ts'

/** The parts of a mapping that decide whether its calls can be compared. */
export type Subject = Pick<Operation, 'id' | 'v1' | 'effect' | 'login'>

/**
 * Returns what kind of operation is never sent to a second service, and so never compared; undefined: it can be compared.
 * @param isCopied whether its writes are sent to a copy of v1.
 */
export function neverCompared({ effect, login }: Subject, isCopied = false): 'a login' | 'a write' | undefined {
  if (login !== undefined) return 'a login'
  return effect === 'write' && !isCopied ? 'a write' : undefined
}

/** Returns why none of an operation's calls is ever compared, whatever the file says; undefined: they can be compared. */
export const whyNeverCompared = (subject: Subject, isCopied = false): string | undefined =>
  subject.v1 === undefined ? 'v1 has no equivalent' : neverCompared(subject, isCopied)

/** Whether an operation can have the verdict `ready`: logins are never compared, and writes only against a copy. */
export const canBeReady = (subject: Subject, isCopied = false): boolean =>
  neverCompared(subject, isCopied) === undefined

/**
 * Returns the operations that can be compared: reads and calculations that v1 has, and writes that a copy gets. Logins cannot, because
 * each service issues its own token.
 * @param withWrites which writes a copy gets: all, or none, or as a function says of each operation.
 */
export function comparableOf(
  operations: readonly Operation[],
  withWrites: boolean | ((operation: string) => boolean) = false,
): readonly string[] {
  const isCopied = typeof withWrites === 'function' ? withWrites : () => withWrites
  return operations.flatMap((operation) =>
    whyNeverCompared(operation, isCopied(operation.id)) === undefined ? [operation.id] : [],
  )
}
