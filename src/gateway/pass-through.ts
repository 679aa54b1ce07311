import type { IncomingMessage } from 'node:http'
import { type Readable, Transform } from 'node:stream'
import { endToEnd } from '../upstream/end-to-end.ts'
import type { Call, Gateway } from './gateway.ts'
import type { LegacyAnswer } from './legacy-answer.ts'
import { legacyFailureOf } from './legacy-failure.ts'
import { bodyTooLarge, refuseAnnounced } from './receive-body.ts'
import { Refusal } from './refusal.ts'
import { forwardedFor } from './v1-headers.ts'

/**
 * Passes a call on to the legacy service as it is, and its answer back as it is: bytes, status, headers but those of the
 * connection, streamed both ways. Only the token is the one that the legacy service itself issued.
 * @throws Refusal when there is no such path or no legacy service, or the body is too large; LegacyFailure.
 */
export async function passThrough(gateway: Gateway, call: Call, incoming: IncomingMessage): Promise<LegacyAnswer> {
  const { request, operation } = call
  const { legacy } = gateway
  const path = operation?.mapping.legacy.path ?? gateway.forwardedPath(request.path)
  if (path === undefined) throw new Refusal(404, 'unknown-path')
  if (legacy === undefined) {
    throw operation === undefined ? new Refusal(404, 'unknown-path') : new Refusal(501, 'no-equivalent')
  }
  refuseAnnounced(incoming, gateway.maxBodyBytes)
  const body = hasBody(incoming) ? limited(incoming, gateway.maxBodyBytes, call) : null
  const started = performance.now()
  const answer = await legacy
    .forward({
      method: request.method,
      path: request.query === '' ? path : `${path}?${request.query}`,
      headers: headersOf(call),
      body,
      isRead: operation === undefined ? SAFE.has(request.method) : operation.mapping.effect !== 'write',
    })
    .catch((error: unknown) => {
      // It is not legacy's failure when the client's body ends it.
      throw body?.errored instanceof Refusal ? body.errored : legacyFailureOf(error)
    })
    .finally(() => {
      call.legacyMilliseconds += performance.now() - started
    })
  call.legacyStatus = answer.status
  call.answeredBy = 'legacy'
  return answer
}

function headersOf({ request, credentials }: Call): Record<string, string | string[]> {
  const { host: _, expect: __, authorization: ___, ...others } = endToEnd(request.headers)
  return {
    ...others,
    ...(credentials.legacy !== undefined && { authorization: credentials.legacy }),
    'x-request-id': request.requestId,
    'x-forwarded-for': forwardedFor(request),
  }
}

/** RFC 9110 section 9.2.1. */
const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])

/** RFC 9112 section 6: a request has a body when one of these announces it. */
const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/**
 * A request's body as it comes, which breaks off at the limit. When it is destroyed the request itself is not: the client
 * is still to be answered.
 */
function limited(incoming: IncomingMessage, limit: number, { kept }: Call): Readable {
  let length = 0
  const counted = new Transform({
    transform(chunk: Buffer, _, done) {
      length += chunk.length
      kept?.request.add(chunk)
      if (length > limit) done(bodyTooLarge(limit))
      else done(null, chunk)
    },
  })
  incoming.once('error', () => counted.destroy(new Refusal(400, 'body-missing')))
  counted.once('close', () => incoming.unpipe(counted))
  return incoming.pipe(counted)
}
