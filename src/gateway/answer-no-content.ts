import { checkAcknowledged } from '../engine/answer.ts'
import type { CompiledOperation } from '../engine/compile/compile-operations.ts'
import { asideFor } from './aside.ts'
import { askV1, isError, refuse } from './call-v1.ts'
import type { AnswerCall } from './compile-answerers.ts'
import { v1CallOf } from './errors/refuse-translation.ts'

/** Answers without a body. All that counts is whether v1 succeeded. */
export function noContentAnswerer(operation: CompiledOperation, status: number): AnswerCall {
  return async (gateway, call, notes, translation) => {
    const question = { operation, v1Call: v1CallOf(translation) }
    const answer = await askV1(gateway, call, notes, question)
    if (isError(answer)) return refuse(gateway, call, question, answer)
    const aside = asideFor(gateway, call, answer.body)
    if (aside === undefined) checkAcknowledged(answer.body)
    else await aside.checkAcknowledged(answer.body)
    return { status, headers: {}, body: null }
  }
}
