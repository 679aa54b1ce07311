import { rewriteRecord } from '../engine/answer.ts'
import type { CompiledOperation } from '../engine/compile-operations.ts'
import { replaceMember } from '../engine/replace-member.ts'
import type { V1Call } from '../engine/translate-request.ts'
import type { Login, ResponseMapping } from '../mapping/operation.ts'
import { callV1 } from './call-v1.ts'
import type { Call, Gateway } from './gateway.ts'
import { jsonAnswer, type LegacyAnswer } from './legacy-answer.ts'
import { forwardedFor } from './v1-headers.ts'

/** How long a login waits for the legacy service; it goes on without its token then. */
const PATIENCE_MS = 1_000

/**
 * A login: asks both services with the same body, where there is a legacy one, and hands out one token for both. The legacy
 * service can neither fail nor delay it: without its token, the client's calls of v1 work all the same.
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
  const legacyToken = askLegacy(gateway, call, login, body)
  const answer = rewriteRecord(operation.answer, await callV1(gateway, call, operation, v1Call))
  return sealedAnswer(gateway, response, login, answer, {
    client: textMember(body, login.client),
    v1: textMember(answer, login.token),
    legacy: await legacyToken,
  })
}

async function sealedAnswer(
  { tokens: sealer, legacy: service }: Gateway,
  { status }: ResponseMapping & { readonly kind: 'record' },
  { token }: Login,
  answer: Uint8Array,
  tokens: {
    readonly client?: string | undefined
    readonly v1?: string | undefined
    readonly legacy?: string | undefined
  },
): Promise<LegacyAnswer> {
  if (service === undefined || sealer === undefined) return jsonAnswer(status, answer)
  return jsonAnswer(status, replaceMember(answer, token, JSON.stringify(await sealer.seal(tokens))))
}

/** The token of the legacy service; undefined when it cannot be had in time. Never fails. */
async function askLegacy(
  { legacy }: Gateway,
  call: Call,
  { token }: Login,
  body: Uint8Array,
): Promise<string | undefined> {
  if (legacy === undefined || call.operation === undefined) return undefined
  const { request } = call
  const { 'accept-language': language, 'content-type': type } = request.headers
  const started = performance.now()
  try {
    const { status, body: answer } = await legacy.call({
      method: call.operation.mapping.legacy.method,
      path: call.operation.mapping.legacy.path,
      headers: {
        'content-type': type ?? 'application/json',
        ...(language !== undefined && { 'accept-language': language }),
        'x-request-id': request.requestId,
        'x-forwarded-for': forwardedFor(request),
      },
      body,
      repeatable: false,
      timeoutMs: PATIENCE_MS,
    })
    call.legacyStatus = status
    return status < 300 ? textMember(answer, token) : undefined
  } catch {
    return undefined
  } finally {
    call.legacyMilliseconds = performance.now() - started
  }
}

/** A member of the root that is a text with something in it. */
function textMember(json: Uint8Array, name: string): string | undefined {
  try {
    const root = JSON.parse(new TextDecoder().decode(json)) as Readonly<Record<string, unknown>> | null
    const value = root?.[name]
    return typeof value === 'string' && value !== '' ? value : undefined
  } catch {
    return undefined
  }
}
