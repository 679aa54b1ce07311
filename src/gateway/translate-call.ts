import type { CompiledOperation } from '../engine/compile/compile-operations.ts'
import type { LegacyInput, Translation } from '../engine/translate-request.ts'
import { asideFor } from './aside.ts'
import type { Gateway } from './gateway.ts'

/** Translates a legacy request, or returns why it cannot be translated. Translates a large one in another thread. */
export function translateCall(
  gateway: Gateway,
  operation: CompiledOperation,
  input: LegacyInput,
): Translation | Promise<Translation> {
  const aside = asideFor(gateway, input.body)
  return aside === undefined ? operation.translateRequest(input) : aside.translateRequest(operation.mapping.id, input)
}
