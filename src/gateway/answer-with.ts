import { checkAcknowledged, rewriteList, rewriteRecord } from '../engine/answer.ts'
import type { CompiledOperation } from '../engine/compile/compile-operations.ts'
import type { V1Call } from '../engine/translate-request.ts'
import type { ResponseMapping } from '../mapping/operation.ts'
import { release } from '../upstream/release.ts'
import { answerPage } from './answer-page.ts'
import { LARGE_BYTES } from './aside.ts'
import { askV1, isError, refuse } from './call-v1.ts'
import type { Call, Gateway } from './gateway.ts'
import { type LegacyAnswer, ownJsonAnswer } from './legacy-answer.ts'
import { answerWholeList } from './lists/answer-whole-list.ts'
import { answerLogin } from './login/answer-login.ts'
import { fillAside, rewriteFilled } from './rewrite-filled.ts'

/** Makes the v1 call, or as many as the legacy answer takes, and translates what comes back. `body` is the request's. */
export function answerWith(
  gateway: Gateway,
  call: Call,
  operation: CompiledOperation,
  v1Call: V1Call,
  body: Uint8Array,
): Promise<LegacyAnswer> {
  const { login, response } = operation.mapping
  if (login !== undefined) return answerLogin(gateway, call, operation, v1Call, body)
  switch (response.kind) {
    case 'record':
    case 'list':
      return answerBody(gateway, call, operation, v1Call, response, body)
    case 'no-content':
      return answerNothing(gateway, call, operation, v1Call, response.status)
    case 'page':
      return answerPage(gateway, call, operation, v1Call, response)
    case 'whole-list':
      return answerWholeList(gateway, call, operation, v1Call, response.status)
    case 'pass-through':
      throw new Error(`${operation.mapping.id} has no v1 call`)
  }
}

async function answerBody(
  gateway: Gateway,
  call: Call,
  operation: CompiledOperation,
  v1Call: V1Call,
  { kind, status }: ResponseMapping & { readonly kind: 'record' | 'list' },
  body: Uint8Array,
): Promise<LegacyAnswer> {
  const answer = await askV1(gateway, call, operation, v1Call)
  if (isError(answer)) return refuse(gateway, call, operation, v1Call, answer)
  if (gateway.aside !== undefined && (answer.body.length >= LARGE_BYTES || body.length >= LARGE_BYTES)) {
    return ownJsonAnswer(status, await fillAside(gateway, gateway.aside, call, operation, kind, answer.body, body))
  }
  const rewrite = kind === 'record' ? rewriteRecord : rewriteList
  const legacy = await rewriteFilled(gateway, call, body, (context) =>
    rewrite(operation.answer, answer.body, { context }),
  )
  release(answer.body)
  return ownJsonAnswer(status, legacy)
}

async function answerNothing(
  gateway: Gateway,
  call: Call,
  operation: CompiledOperation,
  v1Call: V1Call,
  status: number,
): Promise<LegacyAnswer> {
  const answer = await askV1(gateway, call, operation, v1Call)
  if (isError(answer)) return refuse(gateway, call, operation, v1Call, answer)
  if (gateway.aside !== undefined && answer.body.length >= LARGE_BYTES)
    await gateway.aside.checkAcknowledged(answer.body)
  else checkAcknowledged(answer.body)
  return { status, headers: {}, body: null }
}
