import type { CompiledOperation } from '../engine/compile/compile-operations.ts'
import type { Translation } from '../engine/translate-request.ts'
import type { Side } from '../exchange/exchange.ts'
import { bodyAnswerer } from './answer-body.ts'
import { noContentAnswerer } from './answer-no-content.ts'
import { pageAnswerer } from './answer-page.ts'
import type { Call } from './call.ts'
import type { Gateway } from './gateway.ts'
import type { LegacyAnswer } from './legacy-answer.ts'
import { wholeListAnswerer } from './lists/answer-whole-list.ts'
import { loginAnswerer } from './login/answer-login.ts'
import type { Notes } from './notes.ts'

/**
 * Sends a translated request to v1, in as many calls as the legacy answer takes, and translates the answers.
 * @param body of the legacy request.
 * @throws Refusal if the request could not be translated; otherwise the failure or the refusal of v1.
 */
export type AnswerCall = (
  gateway: Gateway,
  call: Call,
  notes: Notes,
  translation: Translation,
  body: Uint8Array,
) => Promise<LegacyAnswer>

/** A compiled operation, and how its calls are answered. That is decided once, when the mappings are loaded. */
export interface ServedOperation extends CompiledOperation {
  readonly answerCall: AnswerCall
  /** Whether a call that this side answers is translated. If not, it is passed through to the legacy service. */
  readonly translates: Readonly<Record<Side, boolean>>
}

/** Adds to each operation how its calls are answered. */
export function compileAnswerers(operations: readonly CompiledOperation[]): readonly ServedOperation[] {
  return operations.map((operation) => {
    const { login, v1 } = operation.mapping
    return {
      ...operation,
      answerCall: answererOf(operation),
      // A login goes to both services, whichever side answers it.
      translates: { v1: v1 !== undefined, legacy: login !== undefined },
    }
  })
}

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
