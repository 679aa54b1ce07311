import { within } from '../../common/promises.ts'
import { endToEnd } from '../../upstream/end-to-end.ts'
import type { Call } from '../call.ts'
import { forwardedHeaders } from '../forwarded-headers.ts'
import type { Gateway } from '../gateway.ts'
import type { LegacyAnswer } from '../legacy-answer.ts'
import type { Notes } from '../notes.ts'
import { plainType } from '../plain-body.ts'

/** An answer whose body has been read. */
export type PlainAnswer = LegacyAnswer & { readonly body: Uint8Array }

/**
 * Logs in to the legacy service with the client's own body, unpacked and in UTF-8; undefined if there is no answer within `timeoutMs`, the wait for a slot
 * included. Never rejects.
 */
export async function loginAtLegacy(
  { legacy }: Gateway,
  call: Call,
  notes: Notes,
  body: Uint8Array,
  timeoutMs: number,
): Promise<PlainAnswer | undefined> {
  const { operation, request } = call
  if (legacy === undefined || operation === undefined) return undefined
  const { 'accept-language': language, 'content-type': type } = request.headers
  const started = performance.now()
  try {
    // A call that waited for a slot still gets its whole time: cut short, it would count as a failure of the service.
    const calling = legacy.call({
      ...operation.mapping.legacy,
      headers: {
        'content-type': plainType(type) ?? 'application/json',
        ...(language !== undefined && { 'accept-language': language }),
        'x-request-id': request.requestId,
        ...forwardedHeaders(request),
      },
      body,
      share: call.share,
      repeatable: false,
      asking: notes.legacyAsking,
      timeoutMs,
    })
    const answer = await within(timeoutMs, calling)
    if (answer === undefined) return undefined
    notes.legacyAnswered(answer.status)
    // The body has been decoded, and will have another length.
    const { 'content-encoding': _, 'content-length': __, ...headers } = endToEnd(answer.headers)
    return { status: answer.status, headers, body: answer.body }
  } catch {
    return undefined
  } finally {
    notes.legacyWaited(performance.now() - started)
  }
}
