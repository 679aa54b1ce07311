import type { CompiledOperation } from '../engine/compile/compile-operations.ts'
import type { LegacyInput, Translation } from '../engine/translate-request.ts'
import { asideForBody } from './aside.ts'
import type { Call } from './call.ts'
import type { Gateway } from './gateway.ts'

/** Translates a legacy request, or returns why it cannot be translated. Some are translated in another thread (`aside.ts`). */
export function translateCall(
  gateway: Gateway,
  call: Call,
  operation: CompiledOperation,
  input: LegacyInput,
): Translation | Promise<Translation> {
  const aside = asideForBody(gateway, call, input.body)
  return aside === undefined ? operation.translateRequest(input) : aside.translateRequest(operation.mapping.id, input)
}
