import { messages, operations as shipped } from '../../mappings/index.ts'
import { type CompiledOperation, compileOperations, MappingError } from '../engine/compile/compile-operations.ts'
import type { Operation } from '../mapping/operation.ts'
import { checkMessages, type Messages } from './errors/messages.ts'

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
  const missing = checkMessages(messages, operations)
  if (missing.length > 0) throw new MappingError(missing)
  return { operations: compiled, messages }
}
