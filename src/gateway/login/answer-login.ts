import { rewriteRecord } from '../../engine/answer.ts'
import type { CompiledOperation } from '../../engine/compile/compile-operations.ts'
import { replaceMember } from '../../engine/replace-member.ts'
import type { Login, ResponseMapping } from '../../mapping/operation.ts'
import type { Holder } from '../../upstream/memory-budget.ts'
import { UpstreamError } from '../../upstream/upstream-error.ts'
import { callV1 } from '../call-v1.ts'
import type { AnswerCall } from '../compile-answerers.ts'
import { refusalOf } from '../errors/refuse-translation.ts'
import type { Gateway } from '../gateway.ts'
import { jsonAnswer, type LegacyAnswer } from '../legacy-answer.ts'
import type { Notes } from '../notes.ts'
import { loginAtLegacy, type PlainAnswer } from './login-at-legacy.ts'

/** How long a login that one service answers waits for the token of the other. */
const PATIENCE_MS = 1_000
/** No login is larger, nor the answer of one; bytes. */
const MOST_LOGIN = 64 * 1024

/**
 * A login: asks both services with the same body, where there is a legacy one, and hands out one token for both. v1's answer
 * is the client's, or legacy's where the rollout says so. The legacy service can neither fail nor delay it: without its token,
 * the client's calls of v1 work all the same, and where it is to answer and is down, v1 does.
 */
export function loginAnswerer(operation: CompiledOperation, login: Login, response: ResponseMapping): AnswerCall {
  if (response.kind !== 'record') throw new Error(`${operation.mapping.id} is no login`)

  return async (gateway, call, notes, translation, body) => {
    const { call: v1Call } = translation
    const isLegacys = call.side === 'legacy'
    if (v1Call === undefined && !isLegacys) throw refusalOf(translation)
    const atLegacy = loginAtLegacy(gateway, call, notes, body, PATIENCE_MS)
    if (v1Call === undefined) {
      // What could be no login at v1 is legacy's to answer; only when it is down the refusal counts.
      const answer = await atLegacy
      if (isAnswer(answer)) return answer
      notes.turnTo('v1')
      throw refusalOf(translation)
    }
    const client = textMember(body, login.client)
    // It may go on longer than the call.
    const holder: Holder = { held: 0 }
    const atV1 = callV1(gateway, call, notes, { operation, v1Call, holder })
      .then((answer) => (answer.length > MOST_LOGIN ? refuseLarge() : rewriteRecord(operation.answer, answer)))
      .finally(() => gateway.memory?.letGo(holder))

    if (isLegacys) {
      const v1Token = within(PATIENCE_MS, tokenOf(login, atV1))
      const answer = await atLegacy
      if (isAnswer(answer)) return sealed(gateway, notes, login, answer, { client, v1: await v1Token })
      notes.turnTo('v1')
    }
    const answer = jsonAnswer(response.status, await atV1)
    const legacyToken = await tokenOf(
      login,
      atLegacy.then((legacy) => legacy?.body),
    )
    return sealed(gateway, notes, login, answer as PlainAnswer, { client, legacy: legacyToken })
  }
}

/** Whether the legacy service is up, and what it says is the client's to hear. */
const isAnswer = (answer: PlainAnswer | undefined): answer is PlainAnswer => answer !== undefined && answer.status < 500

/** The answer with one token in place of its own; as it is when it has none, or nothing is sealed here. */
async function sealed(
  { tokens: sealer, legacy }: Gateway,
  notes: Notes,
  { token: name }: Login,
  answer: PlainAnswer,
  others: {
    readonly client: string | undefined
    readonly v1?: string | undefined
    readonly legacy?: string | undefined
  },
): Promise<LegacyAnswer> {
  const own = textMember(answer.body, name)
  if (own === undefined || answer.status > 299) return answer
  notes.clientLoggedIn(others.client)
  if (legacy === undefined || sealer === undefined) return answer
  const token = await sealer.seal('v1' in others ? { ...others, legacy: own } : { ...others, v1: own })
  return { ...answer, body: replaceMember(answer.body, name, JSON.stringify(token)) }
}

/** The token in an answer; undefined when there is none. Never fails. */
function tokenOf({ token }: Login, answer: Promise<Uint8Array | undefined>): Promise<string | undefined> {
  return answer.then(
    (body) => (body === undefined ? undefined : textMember(body, token)),
    () => undefined,
  )
}

function within<T>(milliseconds: number, promise: Promise<T>): Promise<T | undefined> {
  return Promise.race([
    promise,
    new Promise<undefined>((resolve) => setTimeout(resolve, milliseconds, undefined).unref()),
  ])
}

function refuseLarge(): never {
  throw new UpstreamError('too-large', `v1 answered a login with more than ${MOST_LOGIN} bytes`)
}

/** A member of the root that is a text with something in it; of a text that is no larger than any login's. */
function textMember(json: Uint8Array, name: string): string | undefined {
  if (json.length > MOST_LOGIN) return undefined
  try {
    const root = JSON.parse(new TextDecoder().decode(json)) as Readonly<Record<string, unknown>> | null
    const value = root?.[name]
    return typeof value === 'string' && value !== '' ? value : undefined
  } catch {
    return undefined
  }
}
