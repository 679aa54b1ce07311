import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { Call } from './call.ts'
import { chooseSide } from './choose-side.ts'
import { saysCors } from './cors.ts'
import type { Gateway } from './gateway.ts'
import type { LegacyAnswer } from './legacy-answer.ts'
import type { Notes } from './notes.ts'
import { passThrough } from './pass-through.ts'

/**
 * OPTIONS asks about a path (RFC 9110 section 9.3.7), and is a call of no operation. The legacy service is asked where it is
 * the one that would answer the call itself; else the answer names the methods. A preflight that the legacy service leaves
 * open, or does not answer, is answered here, so that a page can go on whichever side answers it.
 * @throws as `passThrough` does.
 */
export async function answerOptions(
  gateway: Gateway,
  call: Call,
  notes: Notes,
  incoming: IncomingMessage,
): Promise<LegacyAnswer> {
  const { request } = call
  const known = gateway.findPath(request.path)
  if (known === undefined) return passThrough(gateway, call, notes, incoming)
  const { byMethod, methods } = known
  const preflight = gateway.cors?.preflight(request, methods)
  if (
    gateway.legacy !== undefined &&
    [...byMethod.values()].some((operation) => chooseSide(gateway, operation, call) === 'legacy')
  ) {
    const answer = await passThrough(gateway, call, notes, incoming).catch((error: unknown) => {
      if (preflight === undefined) throw error
    })
    if (answer !== undefined && (preflight === undefined || saysCors(answer.headers))) return answer
    if (answer?.body instanceof Readable) answer.body.on('error', () => undefined).resume()
    // The gateway itself answers now, as it does for v1.
    notes.turnTo('v1')
  }
  return { status: 204, headers: { allow: `${methods}, OPTIONS`, ...preflight }, body: null }
}
