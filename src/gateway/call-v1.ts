import type { CompiledOperation } from '../engine/compile/compile-operations.ts'
import type { V1Call } from '../engine/translate-request.ts'
import type { Account } from '../upstream/answer-room.ts'
import { type Holder, SMALL_BYTES } from '../upstream/memory-budget.ts'
import type { UpstreamAnswer } from '../upstream/upstream.ts'
import { UpstreamError } from '../upstream/upstream-error.ts'
import { readRefusal, translateRefusal, V1Refused } from './errors/v1-refusal.ts'
import type { Call, Gateway } from './gateway.ts'
import type { LegacyAnswer } from './legacy-answer.ts'
import { v1Headers } from './v1-headers.ts'

/** What the answer of a write takes, nearly always, is held before the write is sent. */
const WRITE_ROOM = SMALL_BYTES
/** How long a write waits for that; ms. */
const PATIENCE_MS = 5_000

/**
 * Makes one call of v1, with parameters of its own beside those of the translation. Its answer may be an error. Its memory is
 * held by `holder`, who lets go of it.
 * @throws UpstreamError when v1 failed or answered what the contract does not promise.
 */
export async function askV1(
  gateway: Gateway,
  call: Call,
  { mapping }: CompiledOperation,
  { method, path, query, body }: V1Call,
  extraQuery = '',
  holder: Holder = call,
): Promise<UpstreamAnswer> {
  const { memory } = gateway
  const isWrite = mapping.effect === 'write'
  const account: Account | undefined = memory && { memory, holder, mayExceed: isWrite }
  // What has been done is not refused for want of memory: it is held before.
  if (isWrite && memory?.hold(holder, WRITE_ROOM) === false) {
    await memory.holdWithin(holder, WRITE_ROOM, 'request', PATIENCE_MS)
  }
  const whole = query === '' || extraQuery === '' ? query + extraQuery : `${query}&${extraQuery}`
  const started = performance.now()
  call.v1Calls++
  try {
    const answer = await gateway.v1.call({
      method,
      path: whole === '' ? path : `${path}?${whole}`,
      headers: v1Headers(call, mapping, body !== undefined),
      body,
      repeatable: mapping.effect === 'read',
      share: call.share,
      caller: call.caller,
      timeoutMs: call.deadline === undefined ? undefined : Math.max(call.deadline - started, 1),
      account,
    })
    const { status } = answer
    call.v1Status = status
    // docs/contract.md promises a body everywhere: no content, not modified and redirects are none.
    if (status === 204 || status === 205 || (status > 299 && status < 400)) {
      throw new UpstreamError('malformed', `v1 answered ${status} where the contract promises a body`)
    }
    return answer
  } finally {
    call.v1Milliseconds += performance.now() - started
  }
}

/** Makes one call of v1 as `askV1` does, and gives the body of its success. Throws as that does, and V1Refused for an error. */
export async function callV1(
  gateway: Gateway,
  call: Call,
  operation: CompiledOperation,
  v1Call: V1Call,
  extraQuery?: string,
  holder?: Holder,
): Promise<Uint8Array> {
  const answer = await askV1(gateway, call, operation, v1Call, extraQuery, holder)
  if (isError(answer)) throw new V1Refused(readRefusal(answer, operation, v1Call))
  return answer.body
}

export const isError = ({ status }: UpstreamAnswer): boolean => status >= 400

/** An error of v1 as the legacy answer. @throws V1Refused for one that says that v1 failed. */
export function refuse(
  { messages }: Gateway,
  { request: { language } }: Call,
  operation: CompiledOperation,
  v1Call: V1Call,
  answer: UpstreamAnswer,
): LegacyAnswer {
  const refusal = readRefusal(answer, operation, v1Call)
  if ('failure' in refusal.meaning) throw new V1Refused(refusal)
  return translateRefusal(refusal, language, messages)
}
