import { rewriteList, rewriteRecord } from '../engine/answer.ts'
import type { CompiledOperation } from '../engine/compile/compile-operations.ts'
import type { ResponseMapping } from '../mapping/operation.ts'
import type { Shape } from '../mapping/shape.ts'
import { release } from '../upstream/release.ts'
import { asideFor } from './aside.ts'
import type { Call } from './call.ts'
import { askV1, isError, refuse } from './call-v1.ts'
import type { AnswerCall } from './compile-answerers.ts'
import { v1CallOf } from './errors/refuse-translation.ts'
import type { Gateway } from './gateway.ts'
import { ownJsonAnswer } from './legacy-answer.ts'
import { fillAside, rewriteFilled } from './rewrite-filled.ts'

type BodyMapping = ResponseMapping & { readonly kind: 'record' | 'list' }

/** Rewrites v1's body into the legacy one. `request` is the body of the legacy request. */
type Rewrite = (gateway: Gateway, call: Call, v1: Uint8Array, request: Uint8Array) => Uint8Array | Promise<Uint8Array>

/** Answers with v1's record, or with its list if that has no pages. */
export function bodyAnswerer(operation: CompiledOperation, response: BodyMapping): AnswerCall {
  const rewrite = isFilled(response.shape) ? filling(operation, response) : plain(operation, response)

  return async (gateway, call, notes, translation, body) => {
    const question = { operation, v1Call: v1CallOf(translation) }
    const answer = await askV1(gateway, call, notes, question)
    if (isError(answer)) return refuse(gateway, call, question, answer)
    const legacy = await rewrite(gateway, call, answer.body, body)
    release(answer.body)
    return ownJsonAnswer(response.status, legacy)
  }
}

/** Whether any member is filled from the request's rows or from a reference list. */
const isFilled = ({ rules }: Shape): boolean =>
  Object.values(rules).some(
    (rule) => rule.kind === 'context' || (rule.kind === 'field' && 'shape' in rule.value && isFilled(rule.value.shape)),
  )

const NO_REQUEST = new Uint8Array()

function plain(operation: CompiledOperation, { kind }: BodyMapping): Rewrite {
  const rewrite = kind === 'record' ? rewriteRecord : rewriteList
  return (gateway, call, v1) => {
    const aside = asideFor(gateway, call, v1)
    return aside === undefined
      ? rewrite(operation.answer, v1)
      : fillAside(gateway, aside, call, operation, kind, v1, NO_REQUEST)
  }
}

function filling(operation: CompiledOperation, { kind }: BodyMapping): Rewrite {
  const rewrite = kind === 'record' ? rewriteRecord : rewriteList
  return (gateway, call, v1, request) => {
    const aside = asideFor(gateway, call, v1) ?? asideFor(gateway, call, request)
    return aside === undefined
      ? rewriteFilled(gateway, call, request, (context) => rewrite(operation.answer, v1, { context }))
      : fillAside(gateway, aside, call, operation, kind, v1, request)
  }
}
