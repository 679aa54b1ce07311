import type { IncomingMessage } from 'node:http'
import { type CompiledOperation, readsBody } from '../engine/compile-operations.ts'
import type { V1Call } from '../engine/translate-request.ts'
import { answerWith } from './answer-with.ts'
import { readCredentials } from './credentials.ts'
import type { Call, Gateway } from './gateway.ts'
import type { LegacyAnswer } from './legacy-answer.ts'
import { passThrough } from './pass-through.ts'
import { receiveBody } from './receive-body.ts'
import { Refusal } from './refusal.ts'

const NO_BODY = new Uint8Array()

/**
 * The way of a request: find the operation, read the legacy request, translate it, call v1, translate the answer. What v1 has
 * no equivalent of is passed on to the legacy service.
 * @throws whatever went wrong; `translateError` makes a legacy answer of it.
 */
export async function handleCall(gateway: Gateway, call: Call, incoming: IncomingMessage): Promise<LegacyAnswer> {
  const { request } = call
  const operation = gateway.find(request.method, request.path)
  call.operation = operation
  call.credentials = await readCredentials(request.headers.authorization, gateway.tokens)
  if (operation?.mapping.v1 === undefined) return passThrough(gateway, call, incoming)
  const body = readsBody(operation.mapping.request) ? await receiveBody(incoming, gateway.maxBodyBytes) : NO_BODY
  const v1Call = translate(operation, call, body)
  return answerWith(gateway, call, operation, v1Call, body)
}

function translate(operation: CompiledOperation, call: Call, body: Uint8Array): V1Call {
  const translation = operation.translateRequest({ query: call.request.query, body })
  call.dropped = translation.dropped
  if (translation.call !== undefined) return translation.call
  const { violations } = translation
  const [first] = violations
  // What is wrong with the body as a whole is the message itself.
  if (first?.path === '') throw new Refusal(400, first.message, { violations, values: first.with ?? {} })
  throw new Refusal(400, 'not-valid', { violations })
}
