import type { Operation } from '../../mapping/operation.ts'

/** The parts of a mapping that decide whether its calls can be compared. */
export type Subject = Pick<Operation, 'id' | 'v1' | 'effect' | 'login'>

/**
 * Returns what kind of operation is never sent to a second service, and so never compared; undefined: it can be compared.
 * @param isCopied whether its writes are sent to a copy of v1.
 */
export const neverCompared = (
  { effect, login }: Pick<Subject, 'effect' | 'login'>,
  isCopied = false,
): 'a write' | undefined => (effect === 'write' && login === undefined && !isCopied ? 'a write' : undefined)

/** Says what compares writes, for whoever reads that an operation is not compared. */
export const ONLY_WITH_A_COPY = 'a write is compared only with a copy of v1 ("shadowWrites": "copy")'

/**
 * Returns why none of an operation's calls is ever compared, whatever the file says; undefined: they can be compared.
 * @param services.hasLegacy whether there is a legacy service, so that both services are asked at each login.
 * @param services.isCopied whether the operation's writes are sent to a copy of v1.
 */
export function whyNeverCompared(
  subject: Subject,
  { hasLegacy, isCopied }: { readonly hasLegacy: boolean; readonly isCopied: boolean },
): string | undefined {
  if (subject.v1 === undefined) return 'v1 has no equivalent'
  if (subject.login !== undefined && !hasLegacy) return 'a login for which only v1 is asked'
  return neverCompared(subject, isCopied)
}

/** Whether an operation can have the verdict `ready`: writes are compared only against a copy. */
export const canBeReady = (subject: Subject, isCopied = false): boolean =>
  neverCompared(subject, isCopied) === undefined

/**
 * Returns the operations that can be compared: reads, calculations and logins that v1 has, and writes that a copy gets.
 * @param withWrites which writes a copy gets: all, or none, or as a function says of each operation.
 */
export function comparableOf(
  operations: readonly Operation[],
  withWrites: boolean | ((operation: string) => boolean) = false,
): readonly string[] {
  const isCopied = typeof withWrites === 'function' ? withWrites : () => withWrites
  return operations.flatMap((operation) =>
    operation.v1 !== undefined && canBeReady(operation, isCopied(operation.id)) ? [operation.id] : [],
  )
}

/**
 * Returns the operations of which calls can be sent again, to be compared: all that can be compared but logins, of which no credentials
 * are recorded.
 */
export const repeatableOf = (operations: readonly Operation[], withWrites = false): readonly string[] =>
  comparableOf(
    operations.filter(({ login }) => login === undefined),
    withWrites,
  )
