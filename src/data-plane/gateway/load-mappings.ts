import { messages, operations as shipped } from '../../../mappings/index.ts'
import { type CompiledOperation, compileOperations, MappingError } from '../../engine/compile/compile-operations.ts'
import type { Operation } from '../../mapping/operation.ts'
import type { Messages } from './errors/legacy-messages.ts'

/** The mappings of the folder `mappings`, in the order in which they are shown. */
export { shipped }

export interface Mappings {
  readonly operations: readonly CompiledOperation[]
  readonly messages: Messages
}

/**
 * Checks and compiles the mappings.
 * @param operations default: those of the folder `mappings`.
 * @throws MappingError that names every mistake.
 */
export function loadMappings(operations: readonly Operation[] = shipped): Mappings {
  const compiled = compileOperations(operations)
  const missing = missingMessages(operations)
  if (missing.length > 0) throw new MappingError(missing)
  return { operations: compiled, messages }
}

/**
 * Returns what is missing in the messages: a text in every language for each code whose message a mapping replaces.
 * Each line names the mapping's file. Empty if nothing is missing.
 */
const missingMessages = (operations: readonly Operation[]): readonly string[] =>
  operations.flatMap(({ id, errors = {} }) =>
    Object.entries(errors).flatMap(([code, { ownMessage }]) =>
      (['en', 'tr'] as const)
        .filter((language) => ownMessage === true && !Object.hasOwn(messages[language], code))
        .map((language) => `mappings/${id}: errors, ${code}: messages/${language}.json has no text for it`),
    ),
  )
