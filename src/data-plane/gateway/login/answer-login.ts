import { within } from '../../../common/promises.ts'
import { rewriteRecord } from '../../../engine/answer.ts'
import type { CompiledOperation } from '../../../engine/compile/compile-operations.ts'
import { replaceMember } from '../../../engine/json-members.ts'
import type { Login, ResponseMapping } from '../../../mapping/operation.ts'
import { endToEnd } from '../../upstream/forward.ts'
import { Holder } from '../../upstream/memory-budget.ts'
import { UpstreamError } from '../../upstream/upstream-error.ts'
import { callV1 } from '../call-v1.ts'
import { refusalOf } from '../errors/refusal.ts'
import type { AnswerCall, Call, Gateway } from '../gateway.ts'
import { jsonAnswer, type LegacyAnswer } from '../legacy-answer.ts'
import { plainType } from '../plain-body.ts'
import { forwardedHeaders } from '../service-headers.ts'
import { clientIdIn } from './client-names.ts'
import type { ServiceTokens } from './sealed-token.ts'

/** How long a login that one service has answered waits for the other's token. */
const PATIENCE_MS = 1_000
/** The largest login, and the largest answer to one. */
const MAX_LOGIN_BYTES = 64 * 1024

/**
 * Answers a login. Sends the same body to both services, if there is a legacy one, and issues one token for both. The client gets
 * v1's answer, or legacy's if the rollout says so. The legacy service can neither make the login fail nor delay it for long.
 * Without its token, the client's calls of v1 still work. If it should answer but is down, v1 answers.
 */
export function loginAnswerer(operation: CompiledOperation, login: Login, response: ResponseMapping): AnswerCall {
  if (response.kind !== 'record') throw new Error(`${operation.mapping.id} is no login`)

  return async (gateway, call, translation, body) => {
    const { call: v1Call } = translation
    const legacyAnswers = call.side === 'legacy'
    if (v1Call === undefined && !legacyAnswers) throw refusalOf(translation)
    const atLegacy = loginAtLegacy(gateway, call, body, PATIENCE_MS)
    if (v1Call === undefined) {
      // A body that cannot be a login at v1 is for legacy to answer. The refusal counts only if legacy is down.
      const answer = await atLegacy
      if (isAnswer(answer)) return answer
      call.notes.answeredBy = 'v1'
      throw refusalOf(translation)
    }
    const client = body.length > MAX_LOGIN_BYTES ? undefined : clientIdIn(body, login.client)
    // The request to v1 may outlast the call.
    const holder = new Holder()
    const atV1 = callV1(gateway, call, { operation, v1Call, holder })
      .then((answer) => (answer.length > MAX_LOGIN_BYTES ? throwTooLarge() : rewriteRecord(operation.answer, answer)))
      .finally(() => gateway.memory?.end(holder))

    if (legacyAnswers) {
      const v1Token = within(PATIENCE_MS, tokenOf(login, atV1))
      const answer = await atLegacy
      if (isAnswer(answer)) return sealed(gateway, call, login, answer, { client, v1: await v1Token })
      call.notes.answeredBy = 'v1'
    }
    const answer = jsonAnswer(response.status, await atV1)
    const legacyToken = await tokenOf(
      login,
      atLegacy.then((legacy) => legacy?.body),
    )
    return sealed(gateway, call, login, answer as PlainAnswer, { client, legacy: legacyToken })
  }
}

/** Whether the legacy service is up and gave an answer for the client. */
const isAnswer = (answer: PlainAnswer | undefined): answer is PlainAnswer => answer !== undefined && answer.status < 500

/**
 * Returns the answer with one token for both services in place of its own. Returns it unchanged if it has no token, or if the
 * gateway seals no tokens. In the second case the token does not name the client, so the gateway remembers whose it is.
 */
async function sealed(
  { tokens: sealer, legacy, knownTokens }: Gateway,
  call: Call,
  { token: name }: Login,
  answer: PlainAnswer,
  content: ServiceTokens,
): Promise<LegacyAnswer> {
  const issued = textMember(answer.body, name)
  if (issued === undefined || answer.status > 299) return answer
  call.notes.loggedIn = content.client
  if (legacy === undefined || sealer === undefined) {
    if (content.client !== undefined) knownTokens.issued(issued, content.client)
    return answer
  }
  const token = await sealer.seal('v1' in content ? { ...content, legacy: issued } : { ...content, v1: issued })
  return { ...answer, body: replaceMember(answer.body, name, JSON.stringify(token)) }
}

/** Returns the token in an answer; undefined if there is none. Never rejects. */
function tokenOf({ token }: Login, answer: Promise<Uint8Array | undefined>): Promise<string | undefined> {
  return answer.then(
    (body) => (body === undefined ? undefined : textMember(body, token)),
    () => undefined,
  )
}

function throwTooLarge(): never {
  throw new UpstreamError('too-large', `v1 answered a login with more than ${MAX_LOGIN_BYTES} bytes`)
}

/**
 * Returns a member of the root object that is a non-empty string; undefined if there is none, or if the JSON is larger
 * than any login's.
 */
function textMember(json: Uint8Array, name: string): string | undefined {
  if (json.length > MAX_LOGIN_BYTES) return undefined
  try {
    const root = JSON.parse(new TextDecoder().decode(json)) as Readonly<Record<string, unknown>> | null
    const value = root?.[name]
    return typeof value === 'string' && value !== '' ? value : undefined
  } catch {
    return undefined
  }
}

/** An answer whose body has been read. */
type PlainAnswer = LegacyAnswer & { readonly body: Uint8Array }

/**
 * Logs in to the legacy service with the client's own body, unpacked and in UTF-8; undefined if there is no answer within `timeoutMs`, the wait for a slot
 * included. Never rejects.
 */
async function loginAtLegacy(
  { legacy }: Gateway,
  call: Call,
  body: Uint8Array,
  timeoutMs: number,
): Promise<PlainAnswer | undefined> {
  const { operation, request, notes } = call
  if (legacy === undefined || operation === undefined) return undefined
  const { 'accept-language': language, 'content-type': type } = request.headers
  const started = performance.now()
  try {
    // A call that waited for a slot still gets its whole time: cut short, it would count as a failure of the service.
    const calling = legacy.call({
      ...operation.mapping.legacy,
      headers: {
        'content-type': plainType(type) ?? 'application/json',
        ...(language !== undefined && { 'accept-language': language }),
        'x-request-id': request.requestId,
        ...forwardedHeaders(request),
      },
      body,
      share: call.share,
      repeatable: false,
      asking: notes.legacyAsking,
      timeoutMs,
    })
    const answer = await within(timeoutMs, calling)
    if (answer === undefined) return undefined
    notes.legacyStatus = answer.status
    // The body has been decoded, and will have another length.
    const { 'content-encoding': _, 'content-length': __, ...headers } = endToEnd(answer.headers)
    return { status: answer.status, headers, body: answer.body }
  } catch {
    return undefined
  } finally {
    notes.legacyMilliseconds += performance.now() - started
  }
}
