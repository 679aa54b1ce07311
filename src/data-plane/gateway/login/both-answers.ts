import { JsonError, scanValue, viewOf } from '../../../engine/json/scan-json.ts'
import { endOfText, startOfText, stringAt, textOf, typeAt, walkTree } from '../../../engine/json/walk-json.ts'
import { comparedHeaders, releaseOf } from '../../../exchange/compared-headers.ts'
import { ASKED_TO_SLOW_DOWN, type BothAnswers, type GivenAnswer } from '../../../exchange/exchange.ts'
import { charsetOf } from '../../../exchange/request-facts.ts'
import type { Login } from '../../../mapping/operation.ts'
import { asksToSlowDown } from '../../upstream/slow-down.ts'
import type { FailureKind } from '../../upstream/upstream-error.ts'
import { failureOf, malformedOf, translateError } from '../errors/translate-error.ts'
import { V1Refused } from '../errors/v1-refusal.ts'
import type { Call, Gateway } from '../gateway.ts'
import { jsonAnswer, type LegacyAnswer } from '../legacy-answer.ts'
import { serviceMs } from '../notes.ts'
import { clientIdIn, hashOf } from './client-names.ts'
import { type LoginSecrets, withoutLoginSecrets } from './login-secrets.ts'

/** The largest login, and the largest answer to one. */
export const MAX_LOGIN_BYTES = 64 * 1024

/** An answer whose body has been read. */
export type PlainAnswer = LegacyAnswer & { readonly body: Uint8Array }

/** What the legacy service made of a login, or how it failed to answer. */
export type AtLegacy = (PlainAnswer & { readonly milliseconds: number }) | { readonly failure: string }

/** What v1 made of a login. */
export interface AtV1 {
  /** The answer in the legacy shape. */
  readonly body: Uint8Array
  /** As v1 sent it. */
  readonly v1: Uint8Array
}

/** A login that both services are asked for. */
interface AskedLogin {
  readonly login: Login
  readonly body: Uint8Array
  /** Never rejects. */
  readonly atLegacy: Promise<AtLegacy>
  /** Rejects with how v1 failed or refused. */
  readonly atV1: Promise<AtV1>
  /** Legacy's status for a success. */
  readonly success: number
}

/** Returns what both services made of a login, without its secrets, once both have answered or failed. Never rejects. */
export async function bothAnswers(
  gateway: Gateway,
  call: Call,
  { login, body, atLegacy, atV1, success }: AskedLogin,
): Promise<BothAnswers> {
  const [legacy, v1] = await Promise.all([atLegacy, atV1.catch((error: unknown) => ({ error }))])
  const issued = [legacy, v1].map((answer) => ('body' in answer ? textMember(answer.body, login.token) : undefined))
  const secrets = {
    tokenName: login.token,
    tokens: issued.filter((token) => token !== undefined),
    credentials: valuesIn(body),
  }
  const { 'accept-language': language } = call.request.headers
  return {
    request: {
      method: call.request.method,
      path: call.operation?.mapping.legacy.path ?? '',
      query: '',
      headers: { 'accept-language': language, 'content-type': 'application/json' },
      body: loginOf(login, body),
    },
    control: controlOf(gateway, call, legacy, secrets),
    candidate: 'error' in v1 ? refused(gateway, call, v1.error, secrets) : answered(call, v1, success, secrets),
  }
}

/**
 * Returns a member of the root object that is a non-empty string; undefined if there is none, or if the JSON is larger
 * than any login's.
 */
export function textMember(json: Uint8Array, name: string): string | undefined {
  if (json.length > MAX_LOGIN_BYTES) return undefined
  try {
    const root = JSON.parse(new TextDecoder().decode(json)) as Readonly<Record<string, unknown>> | null
    const value = root?.[name]
    return typeof value === 'string' && value !== '' ? value : undefined
  } catch {
    return undefined
  }
}

/** The most values that a login has. Each is looked for in every text of the answers. */
const MOST_VALUES = 50

/** Returns the texts and numbers in a body; undefined: it is not JSON, is too large, or has too many. */
function valuesIn(body: Uint8Array): readonly string[] | undefined {
  if (body.length > MAX_LOGIN_BYTES) return undefined
  const values = new Set<string>()
  const text = viewOf(body)
  try {
    const end = walkTree(text, startOfText(body), body.length, {
      value(at) {
        const type = typeAt(body, at)
        if (type === 'object' || type === 'array') return undefined
        const valueEnd = scanValue(text, at, body.length)
        values.add(type === 'string' ? stringAt(body, at, valueEnd) : textOf(body, at, valueEnd))
        return valueEnd
      },
    })
    endOfText(body, end)
  } catch (error) {
    if (!(error instanceof JsonError)) throw error
    return undefined
  }
  return values.size > MOST_VALUES ? undefined : [...values]
}

/** Returns a login in which nothing but a hash of the client id tells it from others. */
function loginOf({ client, secret }: Login, body: Uint8Array): Uint8Array {
  const id = clientIdIn(body, client)
  return new Uint8Array(Buffer.from(JSON.stringify({ [client]: id === undefined ? '' : hashOf(id), [secret]: '' })))
}

/** The side that does not answer the client wants no such calls now, which says nothing about its answers. */
const ASKED = { failure: ASKED_TO_SLOW_DOWN } as const

function controlOf(
  { releaseHeaders, legacy }: Gateway,
  { side }: Call,
  answer: AtLegacy,
  secrets: LoginSecrets,
): GivenAnswer {
  if ('failure' in answer) return answer
  if (side === 'v1' && asksToSlowDown(answer)) return ASKED
  const { status, headers, body, milliseconds } = answer
  return {
    ...{ status, failure: undefined, serviceMs: milliseconds, milliseconds },
    body: withoutLoginSecrets(body, secrets),
    headers: comparedHeaders(headers, legacy?.baseUrl),
    charset: charsetOf(headers['content-type'] as string | undefined),
    release: releaseOf(headers, releaseHeaders.legacy),
  }
}

function answered({ notes }: Call, { body, v1 }: AtV1, status: number, secrets: LoginSecrets): GivenAnswer {
  return {
    ...{ status, failure: undefined, milliseconds: notes.v1Milliseconds },
    body: withoutLoginSecrets(body, secrets),
    headers: comparedHeaders(jsonAnswer(status, body).headers),
    v1Answer: { status: notes.v1Status ?? status, body: withoutLoginSecrets(v1, secrets) },
    release: notes.v1Release,
    serviceMs: serviceMs(notes, 'v1'),
  }
}

/** With these failures v1 gave no answer. */
const NO_ANSWER: ReadonlySet<string> = new Set<FailureKind>(['unreachable', 'timeout', 'unavailable', 'overloaded'])

/** Returns the answer that v1's error or the gateway's refusal becomes, or how v1 failed to answer. */
function refused(
  { messages }: Gateway,
  { request, notes, side }: Call,
  error: unknown,
  secrets: LoginSecrets,
): GivenAnswer {
  const failure = failureOf(error)
  const v1 = error instanceof V1Refused ? error.refusal.answer : undefined
  if (v1 !== undefined && side === 'legacy' && asksToSlowDown(v1)) return ASKED
  if (v1 === undefined && failure !== undefined && NO_ANSWER.has(failure)) return { failure }
  const { status, headers, body } = translateError(error, request.language, messages)
  return {
    ...{ status, failure, malformed: malformedOf(error, notes), milliseconds: notes.v1Milliseconds },
    body: body instanceof Uint8Array ? withoutLoginSecrets(body, secrets) : new Uint8Array(),
    headers: comparedHeaders(headers),
    ...(v1 !== undefined && { v1Answer: { status: v1.status, body: withoutLoginSecrets(v1.body, secrets) } }),
    code: headers['x-gateway-code'] as string | undefined,
    release: notes.v1Release,
    serviceMs: serviceMs(notes, 'v1'),
  }
}
