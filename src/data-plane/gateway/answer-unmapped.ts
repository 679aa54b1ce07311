import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { chooseSide } from './answering-side.ts'
import { hasCorsHeaders } from './cors.ts'
import type { Call, Gateway } from './gateway.ts'
import { answerGuide } from './guides/answer-guide.ts'
import type { LegacyAnswer } from './legacy-answer.ts'
import { passThrough } from './pass-through.ts'

/**
 * Answers a call whose path no mapping knows. Serves the guide itself at the path of the guides, and passes any other call through
 * to the legacy service.
 * @throws like `answerGuide` and `passThrough`.
 */
export function answerUnmapped(gateway: Gateway, call: Call, incoming: IncomingMessage): Promise<LegacyAnswer> {
  const { guides } = gateway
  return guides?.path === call.request.path
    ? answerGuide(gateway, guides, call, incoming)
    : passThrough(gateway, call, incoming)
}

/**
 * Answers OPTIONS, which asks about a path (RFC 9110 section 9.3.7) and belongs to no operation. Asks the legacy service if no
 * mapping knows the path, or if that service would answer one of the path's calls; otherwise lists the methods. If the legacy
 * service does not answer a preflight, or answers it without CORS headers, the gateway answers it, so that a web page works
 * whichever side answers its calls.
 * @throws like `passThrough`.
 */
export async function answerOptions(gateway: Gateway, call: Call, incoming: IncomingMessage): Promise<LegacyAnswer> {
  const { request } = call
  const path = gateway.findPath(request.path)
  if (path === undefined) return answerUnmapped(gateway, call, incoming)
  const { byMethod, methods } = path
  const preflight = gateway.cors?.preflight(request, methods)
  if (
    gateway.legacy !== undefined &&
    [...byMethod.values()].some((operation) => chooseSide(gateway, operation, call) === 'legacy')
  ) {
    const answer = await passThrough(gateway, call, incoming).catch((error: unknown) => {
      if (preflight === undefined) throw error
    })
    if (answer !== undefined && (preflight === undefined || hasCorsHeaders(answer.headers))) return answer
    if (answer?.body instanceof Readable) answer.body.on('error', () => undefined).resume()
    // From here the gateway itself answers, which counts as v1.
    call.notes.answeredBy = 'v1'
  }
  return { status: 204, headers: { allow: `${methods}, OPTIONS`, ...preflight }, body: null }
}
