import { rewriteRecord } from '../../engine/answer.ts'
import type { CompiledOperation } from '../../engine/compile/compile-operations.ts'
import { replaceMember } from '../../engine/replace-member.ts'
import type { V1Call } from '../../engine/translate-request.ts'
import type { Login } from '../../mapping/operation.ts'
import type { Holder } from '../../upstream/memory-budget.ts'
import { UpstreamError } from '../../upstream/upstream-error.ts'
import { callV1 } from '../call-v1.ts'
import type { Refusal } from '../errors/refusal.ts'
import type { Call, Gateway } from '../gateway.ts'
import { jsonAnswer, type LegacyAnswer } from '../legacy-answer.ts'
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
export async function answerLogin(
  gateway: Gateway,
  call: Call,
  operation: CompiledOperation,
  v1Call: V1Call,
  body: Uint8Array,
): Promise<LegacyAnswer> {
  const { login, response } = operation.mapping
  if (login === undefined || response.kind !== 'record') throw new Error(`${operation.mapping.id} is no login`)
  const client = textMember(body, login.client)
  const atLegacy = loginAtLegacy(gateway, call, body, PATIENCE_MS)
  // It may go on longer than the call.
  const holder: Holder = { held: 0 }
  const atV1 = callV1(gateway, call, operation, v1Call, '', holder)
    .then((answer) => (answer.length > MOST_LOGIN ? refuseLarge() : rewriteRecord(operation.answer, answer)))
    .finally(() => gateway.memory?.letGo(holder))

  if (call.answeredBy === 'legacy') {
    const v1Token = within(PATIENCE_MS, tokenOf(login, atV1))
    const answer = await atLegacy
    if (answer !== undefined && answer.status < 500) {
      return sealed(gateway, call, login, answer, { client, v1: await v1Token })
    }
    call.answeredBy = 'v1'
  }
  const answer = jsonAnswer(response.status, await atV1)
  const legacyToken = await tokenOf(
    login,
    atLegacy.then((legacy) => legacy?.body),
  )
  return sealed(gateway, call, login, answer as PlainAnswer, { client, legacy: legacyToken })
}

/** What could be no login at v1 is legacy's to answer where it answers logins; only when it is down the refusal counts. */
export async function refusedByLegacy(
  gateway: Gateway,
  call: Call,
  body: Uint8Array,
  refusal: Refusal,
): Promise<LegacyAnswer> {
  const answer = await loginAtLegacy(gateway, call, body, PATIENCE_MS)
  if (answer !== undefined && answer.status < 500) return answer
  call.answeredBy = 'v1'
  throw refusal
}

/** The answer with one token in place of its own; as it is when it has none, or nothing is sealed here. */
async function sealed(
  { tokens: sealer, legacy }: Gateway,
  call: Call,
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
  call.loggedIn = others.client
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
