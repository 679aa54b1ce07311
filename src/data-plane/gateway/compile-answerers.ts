import { checkAcknowledged, rewriteList, rewriteRecord } from '../../engine/answer.ts'
import type { CompiledOperation } from '../../engine/compile/compile-operations.ts'
import { oncePer } from '../../mapping/once-per.ts'
import type { ResponseMapping } from '../../mapping/operation.ts'
import { isFilled, type Shape } from '../../mapping/shape.ts'
import { release } from '../upstream/body-memory.ts'
import { pageAnswerer } from './answer-page.ts'
import { askV1, isError, refuse } from './call-v1.ts'
import { v1CallOf } from './errors/refusal.ts'
import type { AnswerCall, ServedOperation } from './gateway.ts'
import { asideFor } from './large-texts.ts'
import { ownJsonAnswer } from './legacy-answer.ts'
import { wholeListAnswerer } from './lists/answer-whole-list.ts'
import { loginAnswerer } from './login/answer-login.ts'
import { fillAside, rewriteFilled } from './rewrite-filled.ts'

/** Adds to each operation how its calls are answered. The same operation gives the same object. */
export const compileAnswerers = (operations: readonly CompiledOperation[]): readonly ServedOperation[] =>
  operations.map(served)

const served = oncePer((operation: CompiledOperation): ServedOperation => {
  const { login, v1 } = operation.mapping
  return {
    ...operation,
    answerCall: answererOf(operation),
    // A login goes to both services, whichever side answers it.
    translates: { v1: v1 !== undefined, legacy: login !== undefined },
  }
})

function answererOf(operation: CompiledOperation): AnswerCall {
  const { id, login, response } = operation.mapping
  if (login !== undefined) return loginAnswerer(operation, login, response)
  switch (response.kind) {
    case 'record':
    case 'list':
      return bodyAnswerer(operation, response)
    case 'page':
      return pageAnswerer(operation, response.status)
    case 'whole-list':
      return wholeListAnswerer(operation, response)
    case 'no-content':
      return noContentAnswerer(operation, response.status)
    case 'pass-through':
      return () => Promise.reject(new Error(`${id} has no v1 call`))
  }
}

type BodyMapping = ResponseMapping & { readonly kind: 'record' | 'list' }

/** Answers with v1's record, or with its list if that has no pages. */
function bodyAnswerer(operation: CompiledOperation, { kind, shape, status }: BodyMapping): AnswerCall {
  const rewrite = kind === 'record' ? rewriteRecord : rewriteList
  const isFilled = hasFilledMember(shape)

  return async (gateway, call, translation, body) => {
    const question = { operation, v1Call: v1CallOf(translation) }
    const answer = await askV1(gateway, call, question)
    if (isError(answer)) return refuse(gateway, call, question, answer)
    const { body: v1 } = answer
    const request = isFilled ? body : NO_REQUEST
    const aside = asideFor(gateway, call, v1) ?? asideFor(gateway, call, request)
    let legacy: Uint8Array
    if (aside !== undefined) legacy = await fillAside(gateway, aside, call, operation, kind, v1, request)
    else if (!isFilled) legacy = rewrite(operation.answer, v1)
    else legacy = await rewriteFilled(gateway, call, request, (context) => rewrite(operation.answer, v1, { context }))
    release(v1)
    return ownJsonAnswer(status, legacy)
  }
}

const NO_REQUEST = new Uint8Array()

/** Whether any member is filled from the request's rows or from a reference list. */
const hasFilledMember = ({ rules }: Shape): boolean =>
  Object.values(rules).some(
    (rule) =>
      (rule.kind === 'context' && isFilled(rule.source)) ||
      (rule.kind === 'field' && 'shape' in rule.value && hasFilledMember(rule.value.shape)),
  )

/** Answers without a body. All that counts is whether v1 succeeded. */
function noContentAnswerer(operation: CompiledOperation, status: number): AnswerCall {
  return async (gateway, call, translation) => {
    const question = { operation, v1Call: v1CallOf(translation) }
    const answer = await askV1(gateway, call, question)
    if (isError(answer)) return refuse(gateway, call, question, answer)
    const aside = asideFor(gateway, call, answer.body)
    if (aside === undefined) checkAcknowledged(answer.body)
    else await aside.checkAcknowledged(answer.body)
    return { status, headers: {}, body: null }
  }
}
