import type { Operation } from '../../mapping/operation.ts'
import { OptionsError, type ReplayOptions } from '../replay/replay-options.ts'

/** The options as given on the command line. */
export interface ProbeOptions extends Omit<ReplayOptions, 'includeWrites'> {
  readonly budget: string
  readonly operation?: readonly string[]
}

/** An exchange whose answers differ takes two calls to each side. */
const LEAST = 2
const MOST = 100_000

/**
 * Checks the options that only a probe has.
 * @param comparable the operations that may be asked.
 * @throws OptionsError that lists all problems.
 */
export function probeSettings(
  { budget: written, operation: ids }: ProbeOptions,
  comparable: readonly Operation[],
): { readonly budget: number; readonly operations: readonly Operation[] } {
  const budget = /^\d+$/.test(written) ? Number(written) : Number.NaN
  const unknown = (ids ?? []).filter((id) => !comparable.some((operation) => operation.id === id))
  const problems = [
    ...(budget >= LEAST && budget <= MOST ? [] : [`--budget must be a whole number from ${LEAST} to ${MOST}`]),
    ...(unknown.length === 0 ? [] : [`--operation must be one of ${comparable.map(({ id }) => id).join(', ')}`]),
  ]
  if (problems.length > 0) throw new OptionsError(problems.join('\n'))
  return { budget, operations: comparable.filter(({ id }) => ids === undefined || ids.includes(id)) }
}
