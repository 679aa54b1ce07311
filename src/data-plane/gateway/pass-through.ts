import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { Refusal } from './errors/refusal.ts'
import { legacyFailureOf } from './errors/translate-error.ts'
import type { Call, Gateway } from './gateway.ts'
import type { LegacyAnswer } from './legacy-answer.ts'
import { invalidToken } from './login/credentials.ts'
import { isWrittenOtherwise } from './plain-body.ts'
import { receiveBody } from './receive-body.ts'
import { passesSealed, refuseSealedBody, refuseSealedWithin, withOwnToken } from './refuse-sealed.ts'
import { clientHeaders } from './service-headers.ts'

/**
 * Passes a call through to the legacy service, and its answer back, both unchanged: bytes, status, and headers except
 * those of the connection. Only a token of ours is replaced, by the one that the legacy service itself issued. Receives the
 * request whole first, so that a slow client holds no connection to the legacy service; streams the answer.
 * @throws Refusal if the path cannot be passed on, there is no legacy service, the method is TRACE, or the body is too
 *   large, or a token of ours cannot be replaced; LegacyFailure.
 */
export async function passThrough(gateway: Gateway, call: Call, incoming: IncomingMessage): Promise<LegacyAnswer> {
  const { request, operation, notes } = call
  const { legacy } = gateway
  const path = operation?.mapping.legacy.path ?? gateway.forwardedPath(request.path)
  if (request.method === 'TRACE')
    throw new Refusal(405, 'method-not-allowed', { values: ALL_BUT_TRACE, headers: ALL_BUT_TRACE })
  if (path === undefined) throw new Refusal(404, 'unknown-path')
  if (legacy === undefined) {
    throw operation === undefined ? new Refusal(404, 'unknown-path') : new Refusal(501, 'no-equivalent')
  }
  if (operation === undefined && call.credentials.isUnreadable) throw invalidToken()
  const body = hasBody(incoming) ? await receiveBody(incoming, gateway, notes.memory) : null
  if (operation !== undefined && body !== null) refuseSealedBody(body)
  if (body !== null && isWrittenOtherwise(request.headers)) {
    await refuseSealedWithin(body, request.headers, gateway, notes.memory)
  }
  notes.capture?.request.add(body ?? NO_BODY)
  if (operation?.mapping.effect === 'write') notes.writeBody = body ?? NO_BODY
  notes.answeredBy = 'legacy'
  const started = performance.now()
  const asSent = { path: request.query === '' ? path : `${path}?${request.query}`, headers: headersOf(call), body }
  const sent = passesSealed(asSent) ? await withOwnToken(asSent, gateway.tokens) : asSent
  const answer = await legacy
    .forward({
      method: request.method,
      ...sent,
      share: call.share,
      caller: call.caller,
      asking: notes.legacyAsking,
      isRead: operation === undefined ? SAFE.has(request.method) : operation.mapping.effect !== 'write',
    })
    .catch((error: unknown) => {
      throw legacyFailureOf(error)
    })
    .finally(() => {
      notes.legacyMilliseconds += performance.now() - started
    })
  notes.legacyStatus = answer.status
  if (notes.capture !== undefined && answer.body instanceof Readable) {
    answer.body.once('end', () => {
      notes.legacyServiceMs = performance.now() - started
    })
  }
  return answer
}

const NO_BODY = new Uint8Array()

/** RFC 9110 section 9.3.8: TRACE would echo what only the legacy service may see, above all its token. */
const ALL_BUT_TRACE = { allow: 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS' }

const headersOf = ({ request, credentials }: Call): Record<string, string | string[]> => ({
  ...clientHeaders(request),
  ...(credentials.legacy !== undefined && { authorization: credentials.legacy }),
  'x-request-id': request.requestId,
})

/** Safe methods (RFC 9110 section 9.2.1), without TRACE, which is never passed through. */
const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Whether a request has a body: one of these headers announces it (RFC 9112 section 6). */
const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
