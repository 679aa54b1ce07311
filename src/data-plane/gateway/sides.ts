import { readsBody } from '../../engine/compile/compile-operations.ts'
import { comparedHeaders, releaseOf } from '../../exchange/compared-headers.ts'
import type { AskSide } from '../../exchange/exchange.ts'
import { PURPOSE_HEADER } from '../../exchange/purpose.ts'
import { charsetOf } from '../../exchange/request-facts.ts'
import type { Operation } from '../../mapping/operation.ts'
import type { GuardedUpstream } from '../upstream/guard.ts'
import { SlowDown } from '../upstream/slow-down.ts'
import type { Upstream } from '../upstream/upstream.ts'
import { languageOf } from './errors/legacy-messages.ts'
import { malformedOf, translateError } from './errors/translate-error.ts'
import type { Gateway, ServedOperation } from './gateway.ts'
import { newCall } from './gateway.ts'
import { translateCall } from './large-texts.ts'
import type { LegacyAnswer } from './legacy-answer.ts'
import type { FindOperation } from './legacy-paths.ts'
import { NO_CREDENTIALS } from './login/credentials.ts'
import { newNotes, serviceMs } from './notes.ts'
import { plainBody } from './plain-body.ts'
import { bodyTooLarge } from './receive-body.ts'
import { newRequestId } from './request-head.ts'
import { collectV1 } from './v1-answers.ts'

/**
 * Returns how to ask the legacy side: the service itself. Rejects with an `UpstreamError` if there is no answer in
 * time, and with a `SlowDown` if the service wants no such calls now.
 * @param baseUrl the address of the service.
 */
export function legacySide(
  legacy: Pick<Upstream, 'call'>,
  { releaseHeader, baseUrl }: { readonly releaseHeader: string | undefined; readonly baseUrl: URL },
): AskSide {
  return async (
    { method, path, query, headers, body: plain, asSent, clientHeaders, requestId },
    authorization,
    timeoutMs,
    purpose,
  ) => {
    const { body, headers: written } = asSent ?? { body: plain, headers }
    const coding = asSent?.headers['content-encoding']
    const {
      status,
      body: answer,
      headers: answered,
      milliseconds,
    } = await legacy.call({
      method: method === 'GET' ? 'GET' : 'POST',
      path: query === '' ? path : `${path}?${query}`,
      headers: {
        ...clientHeaders,
        'x-request-id': requestId ?? newRequestId(),
        [PURPOSE_HEADER]: purpose,
        ...(body.length > 0 && { 'content-type': written['content-type'] ?? 'application/json' }),
        ...(coding !== undefined && { 'content-encoding': coding }),
        ...(headers['accept-language'] !== undefined && { 'accept-language': headers['accept-language'] }),
        ...(authorization !== undefined && { authorization }),
      },
      body: body.length > 0 ? body : undefined,
      repeatable: false,
      timeoutMs,
    })
    return {
      status,
      body: answer,
      headers: comparedHeaders(answered, baseUrl),
      charset: charsetOf(answered['content-type'] as string | undefined),
      failure: undefined,
      release: releaseOf(answered, releaseHeader),
      serviceMs: milliseconds,
      milliseconds,
    }
  }
}

/** Connection data for requests that did not arrive over a connection. */
const NO_CONNECTION = { peer: '', socketAddress: '', viaTrustedProxy: undefined } as const

/**
 * Returns how to ask the v1 side: this gateway, which translates v1's answer. An error becomes the answer that a client
 * would get. Rejects with a `SlowDown` if v1 wants no such calls now.
 * @param find finds operations by their legacy path.
 * @param mostV1Bytes up to which size `v1Answer` has what v1 itself answered; 0: never.
 */
export function v1Side(
  gateway: Gateway,
  find: FindOperation<ServedOperation>,
  { mostV1Bytes = 0 }: { readonly mostV1Bytes?: number } = {},
): AskSide {
  return async (
    { method, path, query, headers: sent, body: plain, asSent, clientHeaders, requestId = newRequestId() },
    authorization,
    timeoutMs,
    purpose,
  ) => {
    const started = performance.now()
    const language = languageOf(sent['accept-language'])
    const chain = clientHeaders?.['x-forwarded-for']?.toString()
    const request = { method, path, query, headers: sent, language, requestId, ...NO_CONNECTION, chain }
    const credentials = { ...NO_CREDENTIALS, v1: authorization }
    const notes = newNotes()
    const noted = notingSlowDown(gateway.v1)
    const collected = mostV1Bytes === 0 ? undefined : collectV1(noted.v1)
    let mapping: Operation | undefined
    let answer: LegacyAnswer
    let malformed: string | undefined
    try {
      const operation = find(method, path)
      if (operation?.translates.v1 !== true) throw new Error(`v1 has no ${method} ${path}`)
      const call = newCall(request, { operation, credentials, notes, deadline: started + timeoutMs, purpose })
      // What cannot be read is refused as if it had just arrived. Where no body is read, none is refused.
      const isRead = readsBody(operation.mapping.request)
      const body =
        isRead && asSent !== undefined ? await plainBody(asSent.body, asSent.headers, gateway, notes.memory) : plain
      if (isRead && body.length > gateway.maxBodyBytes) throw bodyTooLarge(gateway.maxBodyBytes)
      const translation = await translateCall(gateway, call, operation, { query, body })
      mapping = operation.mapping
      const { v1 } = collected ?? noted
      answer = await operation.answerCall({ ...gateway, v1 }, call, translation, body)
    } catch (error) {
      // Of calls that share a reading of a list, only the one that began it has noted this.
      if (error instanceof SlowDown) throw error
      answer = translateError(error, language, gateway.messages)
      malformed = malformedOf(error, notes)
    }
    // Also where the answer does without what v1 did not want to be asked for. A write that is done is compared all the same.
    if (mapping?.effect !== 'write') noted.check()
    const v1Answer = mapping && collected?.whole(mapping, mostV1Bytes)
    return {
      status: answer.status,
      body: answer.body === null ? new Uint8Array() : (answer.body as Uint8Array),
      headers: comparedHeaders(answer.headers),
      ...(v1Answer !== undefined && { v1Answer }),
      failure: answer.headers['x-gateway-error'] as string | undefined,
      malformed,
      code: answer.headers['x-gateway-code'] as string | undefined,
      release: notes.v1Release,
      serviceMs: serviceMs(notes, 'v1'),
      milliseconds: performance.now() - started,
    }
  }
}

/** Asks v1, and notes if it wants no calls now that are no client's. `check` throws the `SlowDown` if it did. */
function notingSlowDown(v1: GuardedUpstream): { readonly v1: GuardedUpstream; readonly check: () => void } {
  let slowDown: SlowDown | undefined
  return {
    v1: {
      ...v1,
      call: (request) =>
        v1.call(request).catch((error: unknown) => {
          if (error instanceof SlowDown) slowDown = error
          throw error
        }),
    },
    check() {
      if (slowDown !== undefined) throw slowDown
    },
  }
}
