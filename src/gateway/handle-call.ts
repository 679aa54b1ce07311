import type { IncomingMessage } from 'node:http'
import { type CompiledOperation, readsBody } from '../engine/compile/compile-operations.ts'
import type { Translation } from '../engine/translate-request.ts'
import { release } from '../upstream/release.ts'
import { answerOptions } from './answer-options.ts'
import { answerWith } from './answer-with.ts'
import { LARGE_BYTES } from './aside.ts'
import { Refusal } from './errors/refusal.ts'
import { refusalOf } from './errors/refuse-translation.ts'
import type { Call, Gateway } from './gateway.ts'
import { newKept } from './kept.ts'
import type { LegacyAnswer } from './legacy-answer.ts'
import { refusedByLegacy } from './login/answer-login.ts'
import { clientOf } from './login/client-of.ts'
import { readCredentials } from './login/credentials.ts'
import { passThrough } from './pass-through.ts'
import { receiveBody, refuseTransferCoding } from './receive-body.ts'
import { shareOf } from './share-of.ts'

const NO_BODY = new Uint8Array()

/**
 * The way of a request: find the operation, read the legacy request, translate it, call v1, translate the answer. What v1 has
 * no equivalent of, or what the rollout leaves there, is passed on to the legacy service.
 * @throws whatever went wrong; `translateError` makes a legacy answer of it.
 */
export async function handleCall(gateway: Gateway, call: Call, incoming: IncomingMessage): Promise<LegacyAnswer> {
  const { request } = call
  if (hasTwoHosts(incoming)) throw new Refusal(400, 'not-valid')
  refuseTransferCoding(incoming)
  if (request.method === 'OPTIONS') return answerOptions(gateway, call, incoming)
  const operation = gateway.find(request.method, request.path)
  call.operation = operation
  const credentials = readCredentials(request.headers.authorization, gateway.tokens)
  // What is known at once is not waited for, here and below.
  call.credentials = credentials instanceof Promise ? await credentials : credentials
  call.share = shareOf(call)
  if (operation === undefined) return passThrough(gateway, call, incoming)
  const { id, login, v1, request: mapping } = operation.mapping
  // An answer without its body is nothing to compare or to record.
  if (request.method !== 'HEAD' && gateway.watch.wants(id)) call.kept = newKept(gateway.memory)
  call.answeredBy = v1 === undefined ? 'legacy' : gateway.route(id, clientOf(call))
  // A login is made at both services, whichever of them answers it.
  if (call.answeredBy === 'legacy' && login === undefined) return passThrough(gateway, call, incoming)
  const received = readsBody(mapping) ? receiveBody(incoming, gateway, call) : NO_BODY
  const body = received instanceof Promise ? await received : received
  call.kept?.request.add(body)
  return answerByV1(gateway, call, operation, body)
}

/** RFC 9112 section 3.2: whoever stands between may have taken the other one. */
function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  return hosts > 1
}

/** Translates a request, asks v1, and translates the answer. Throws as `handleCall` does. */
export function answerByV1(
  gateway: Gateway,
  call: Call,
  operation: CompiledOperation,
  body: Uint8Array,
): Promise<LegacyAnswer> {
  const input = { query: call.request.query, body }
  if (gateway.aside === undefined || body.length < LARGE_BYTES) {
    return answerTranslated(gateway, call, operation, body, operation.translateRequest(input))
  }
  const answered = gateway.aside
    .translateRequest(operation.mapping.id, input)
    .then((translation) => answerTranslated(gateway, call, operation, body, translation))
  // The translation alone has been sent; but a login goes to both services as it is.
  const isOwn = call.kept === undefined && operation.mapping.login === undefined
  return isOwn ? answered.finally(() => release(body)) : answered
}

function answerTranslated(
  gateway: Gateway,
  call: Call,
  operation: CompiledOperation,
  body: Uint8Array,
  translation: Translation,
): Promise<LegacyAnswer> {
  call.dropped = translation.dropped
  if (translation.call !== undefined) return answerWith(gateway, call, operation, translation.call, body)
  const refusal = refusalOf(translation)
  return call.answeredBy === 'legacy' ? refusedByLegacy(gateway, call, body, refusal) : Promise.reject(refusal)
}
