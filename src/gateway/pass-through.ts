import type { IncomingMessage } from 'node:http'
import { endToEnd } from '../upstream/end-to-end.ts'
import type { Call } from './call.ts'
import { legacyFailureOf } from './errors/legacy-failure.ts'
import { Refusal } from './errors/refusal.ts'
import { forwardedHeaders } from './forwarded-headers.ts'
import type { Gateway } from './gateway.ts'
import type { LegacyAnswer } from './legacy-answer.ts'
import type { Notes } from './notes.ts'
import { receiveAsItIs } from './receive-body.ts'

/**
 * Passes a call on to the legacy service as it is, and its answer back as it is: bytes, status, headers but those of the
 * connection. Only the token is the one that the legacy service itself issued. The request is received whole before it is
 * passed on, so that a client that is slow with it holds no connection to the legacy service; the answer is streamed.
 * @throws Refusal when there is no such path or no legacy service, the method is TRACE, or the body is too large; LegacyFailure.
 */
export async function passThrough(
  gateway: Gateway,
  call: Call,
  notes: Notes,
  incoming: IncomingMessage,
): Promise<LegacyAnswer> {
  const { request, operation } = call
  const { legacy } = gateway
  const path = operation?.mapping.legacy.path ?? gateway.forwardedPath(request.path)
  if (request.method === 'TRACE')
    throw new Refusal(405, 'method-not-allowed', { values: ALL_BUT_TRACE, headers: ALL_BUT_TRACE })
  if (path === undefined) throw new Refusal(404, 'unknown-path')
  if (legacy === undefined) {
    throw operation === undefined ? new Refusal(404, 'unknown-path') : new Refusal(501, 'no-equivalent')
  }
  const body = hasBody(incoming) ? await receiveAsItIs(incoming, gateway, notes.memory) : null
  if (body !== null) notes.requestReceived(body)
  notes.turnTo('legacy')
  const started = performance.now()
  const answer = await legacy
    .forward({
      method: request.method,
      path: request.query === '' ? path : `${path}?${request.query}`,
      headers: headersOf(call),
      body,
      share: call.share,
      caller: call.caller,
      isRead: operation === undefined ? SAFE.has(request.method) : operation.mapping.effect !== 'write',
    })
    .catch((error: unknown) => {
      throw legacyFailureOf(error)
    })
    .finally(() => {
      notes.legacyWaited(performance.now() - started)
    })
  notes.legacyAnswered(answer.status)
  return answer
}

/** RFC 9110 section 9.3.8: what comes back would show what the legacy service alone is told, its token above all. */
const ALL_BUT_TRACE = { allow: 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS' }

function headersOf({ request, credentials }: Call): Record<string, string | string[]> {
  const { host: _, expect: __, authorization: ___, ...others } = endToEnd(request.headers)
  if (request.viaTrustedProxy === false) {
    for (const name in others) if (SAID_OF_CLIENT.test(name)) delete others[name]
  }
  return {
    ...others,
    ...(credentials.legacy !== undefined && { authorization: credentials.legacy }),
    'x-request-id': request.requestId,
    ...forwardedHeaders(request),
  }
}

/** What proxies say of a client; nobody else is believed once those to be trusted have been named. */
const SAID_OF_CLIENT = /^(?:forwarded|x-real-ip|x-forwarded-.*)$/

/** RFC 9110 section 9.2.1; TRACE aside, which is never passed on. */
const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/** RFC 9112 section 6: a request has a body when one of these announces it. */
const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
