import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { CompiledOperation } from '../engine/compile/compile-operations.ts'
import { saysCors } from './cors.ts'
import type { Call, Gateway } from './gateway.ts'
import type { LegacyAnswer } from './legacy-answer.ts'
import { clientOf } from './login/client-of.ts'
import { readCredentials } from './login/credentials.ts'
import { passThrough } from './pass-through.ts'

/**
 * OPTIONS asks about a path (RFC 9110 section 9.3.7), and is a call of no operation. The legacy service is asked where it is
 * the one that would answer the call itself; else the answer names the methods. A preflight that the legacy service leaves
 * open, or does not answer, is answered here, so that a page can go on whichever side answers it.
 * @throws as `passThrough` does.
 */
export async function answerOptions(gateway: Gateway, call: Call, incoming: IncomingMessage): Promise<LegacyAnswer> {
  const { request } = call
  call.credentials = await readCredentials(request.headers.authorization, gateway.tokens)
  const known = gateway.findPath(request.path)
  if (known === undefined) return passThrough(gateway, call, incoming)
  const { byMethod, methods } = known
  const preflight = gateway.cors?.preflight(request, methods)
  if (gateway.legacy !== undefined && [...byMethod.values()].some((operation) => isLegacys(gateway, call, operation))) {
    const answer = await passThrough(gateway, call, incoming).catch((error: unknown) => {
      if (preflight === undefined) throw error
    })
    if (answer !== undefined && (preflight === undefined || saysCors(answer.headers))) return answer
    if (answer?.body instanceof Readable) answer.body.on('error', () => undefined).resume()
    // The gateway itself answers now, as it does for v1.
    call.answeredBy = 'v1'
  }
  return { status: 204, headers: { allow: `${methods}, OPTIONS`, ...preflight }, body: null }
}

/** Whether the legacy service would answer an operation's call of this client. */
function isLegacys({ route }: Gateway, call: Call, { mapping: { id, v1 } }: CompiledOperation): boolean {
  return v1 === undefined || route(id, clientOf(call)) === 'legacy'
}
