import { within } from '../../../common/promises.ts'
import { rewriteRecord } from '../../../engine/answer.ts'
import type { CompiledOperation } from '../../../engine/compile/compile-operations.ts'
import { replaceMember } from '../../../engine/json-members.ts'
import { PURPOSE_HEADER, type Purpose } from '../../../exchange/purpose.ts'
import type { Login, ResponseMapping } from '../../../mapping/operation.ts'
import { endToEnd } from '../../upstream/forward.ts'
import { Holder } from '../../upstream/memory-budget.ts'
import { UpstreamError } from '../../upstream/upstream-error.ts'
import { callV1 } from '../call-v1.ts'
import { refusalOf } from '../errors/refusal.ts'
import { failureOf } from '../errors/translate-error.ts'
import type { AnswerCall, Call, Gateway } from '../gateway.ts'
import { jsonAnswer, type LegacyAnswer } from '../legacy-answer.ts'
import { plainType } from '../plain-body.ts'
import { forwardedHeaders } from '../service-headers.ts'
import { type AtLegacy, type AtV1, bothAnswers, MAX_LOGIN_BYTES, type PlainAnswer, textMember } from './both-answers.ts'
import { clientIdIn } from './client-names.ts'
import type { ServiceTokens } from './sealed-token.ts'

/** How long a login that one service has answered waits for the other's token. */
const PATIENCE_MS = 1_000

/**
 * Answers a login. Sends the same body to both services, if there is a legacy one, and issues one token for both. The client gets
 * v1's answer, or legacy's if the rollout says so. The legacy service can neither make the login fail nor delay it for long.
 * Without its token, the client's calls of v1 still work. If it should answer but is down, v1 answers. What both made of the login is
 * noted, to be compared.
 */
export function loginAnswerer(operation: CompiledOperation, login: Login, response: ResponseMapping): AnswerCall {
  if (response.kind !== 'record') throw new Error(`${operation.mapping.id} is no login`)

  return async (gateway, call, translation, body) => {
    const { call: v1Call } = translation
    const { notes } = call
    const legacyAnswers = call.side === 'legacy'
    if (v1Call === undefined && !legacyAnswers) throw refusalOf(translation)
    const atLegacy = loginAtLegacy(gateway, call, body, PATIENCE_MS)
    const noteBoth = (atV1: () => Promise<AtV1>): void => {
      if (gateway.legacy === undefined || notes.capture === undefined) return
      notes.both = bothAnswers(gateway, call, { login, body, atLegacy, atV1: atV1(), success: response.status })
    }
    if (v1Call === undefined) {
      // A body that cannot be a login at v1 is for legacy to answer. The refusal counts only if legacy is down.
      const refusal = refusalOf(translation)
      noteBoth(() => Promise.reject(refusal))
      const answer = await atLegacy
      if (isAnswer(answer)) return answer
      notes.answeredBy = 'v1'
      throw refusal
    }
    const client = body.length > MAX_LOGIN_BYTES ? undefined : clientIdIn(body, login.client)
    // The request to v1 may outlast the call.
    const holder = new Holder()
    const atV1 = callV1(gateway, legacyAnswers ? secondSide(call) : call, { operation, v1Call, holder })
      .then((v1) => (v1.length > MAX_LOGIN_BYTES ? throwTooLarge() : { body: rewriteRecord(operation.answer, v1), v1 }))
      .finally(() => gateway.memory?.end(holder))
    noteBoth(() => atV1)

    if (legacyAnswers) {
      const v1Token = within(PATIENCE_MS, tokenOf(login, atV1))
      const answer = await atLegacy
      if (isAnswer(answer)) return sealed(gateway, call, login, answer, { client, v1: await v1Token })
      notes.answeredBy = 'v1'
    }
    const answer = jsonAnswer(response.status, (await atV1).body)
    const legacyToken = await tokenOf(login, atLegacy)
    return sealed(gateway, call, login, answer as PlainAnswer, { client, legacy: legacyToken })
  }
}

/** A login at the side that does not answer the client: the service is told that it is no client's call. */
const secondSide = (call: Call): Call => ({ ...call, purpose: SECOND })

/** What the side that does not answer a login is told that it is for. */
const SECOND: Purpose = 'compare'

/** Whether the legacy service is up and gave an answer for the client. */
const isAnswer = (answer: AtLegacy): answer is Exclude<AtLegacy, { readonly failure: string }> =>
  'status' in answer && answer.status < 500

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
function tokenOf({ token }: Login, at: Promise<AtLegacy | AtV1>): Promise<string | undefined> {
  return at.then(
    (answer) => ('body' in answer ? textMember(answer.body, token) : undefined),
    () => undefined,
  )
}

function throwTooLarge(): never {
  throw new UpstreamError('too-large', `v1 answered a login with more than ${MAX_LOGIN_BYTES} bytes`)
}

/**
 * Logs in to the legacy service with the client's own body, unpacked and in UTF-8. Waits for at most `timeoutMs`, the wait for a slot
 * included. Never rejects.
 */
async function loginAtLegacy({ legacy }: Gateway, call: Call, body: Uint8Array, timeoutMs: number): Promise<AtLegacy> {
  const { operation, request, notes } = call
  if (legacy === undefined || operation === undefined) return { failure: 'not asked' }
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
        ...(call.side === 'v1' && { [PURPOSE_HEADER]: SECOND }),
        ...forwardedHeaders(request),
      },
      body,
      share: call.share,
      caller: call.caller,
      repeatable: false,
      asking: notes.legacyAsking,
      timeoutMs,
    })
    const answer = await within(timeoutMs, calling)
    if (answer === undefined) return { failure: 'timeout' }
    notes.legacyStatus = answer.status
    // The body has been decoded, and will have another length.
    const { 'content-encoding': _, 'content-length': __, ...headers } = endToEnd(answer.headers)
    return { status: answer.status, headers, body: answer.body, milliseconds: answer.milliseconds }
  } catch (error) {
    return { failure: failureOf(error) ?? 'client gone' }
  } finally {
    notes.legacyMilliseconds += performance.now() - started
  }
}
