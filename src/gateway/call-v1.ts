import type { CompiledOperation } from '../engine/compile/compile-operations.ts'
import type { V1Call } from '../engine/translate-request.ts'
import { UpstreamError } from '../upstream/upstream-error.ts'
import { V1Refusal } from './errors/translate-error.ts'
import type { Call, Gateway } from './gateway.ts'
import { v1Headers } from './v1-headers.ts'

/**
 * Makes one call of v1, with parameters of its own beside those of the translation, and gives the body of its success.
 * @throws V1Refusal for an error of v1, UpstreamError when v1 failed or answered what the contract does not promise.
 */
export async function callV1(
  gateway: Gateway,
  call: Call,
  operation: CompiledOperation,
  v1Call: V1Call,
  extraQuery = '',
): Promise<Uint8Array> {
  const query = [v1Call.query, extraQuery].filter((part) => part !== '').join('&')
  const started = performance.now()
  call.v1Calls++
  try {
    const answer = await gateway.v1.call({
      method: v1Call.method,
      path: query === '' ? v1Call.path : `${v1Call.path}?${query}`,
      headers: v1Headers(call, operation.mapping, v1Call.body !== undefined),
      body: v1Call.body,
      repeatable: operation.mapping.effect === 'read',
      // Whatever may have done something is finished, also when nobody waits for it.
      caller: operation.mapping.effect === 'read' ? call.caller : undefined,
      ...(call.deadline !== undefined && { timeoutMs: Math.max(call.deadline - started, 1) }),
    })
    call.v1Status = answer.status
    if (answer.status >= 400) throw new V1Refusal(answer, operation)
    // The contract promises a body: no content, not modified and redirects are none.
    if (answer.status > 299 || answer.status === 204 || answer.status === 205) {
      throw new UpstreamError('malformed', `v1 answered ${answer.status} where the contract promises a body`)
    }
    return answer.body
  } finally {
    call.v1Milliseconds += performance.now() - started
  }
}
