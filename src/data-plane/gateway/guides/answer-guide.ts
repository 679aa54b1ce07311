import type { IncomingMessage } from 'node:http'
import { guideForm } from '../../../exchange/guide-form.ts'
import { say } from '../errors/legacy-messages.ts'
import { Refusal } from '../errors/refusal.ts'
import type { Call, ClientGuides, Gateway } from '../gateway.ts'
import { jsonAnswer, type LegacyAnswer } from '../legacy-answer.ts'
import { countedName } from '../login/client-names.ts'
import { tokenIn } from '../login/credentials.ts'
import { sealedIn } from '../login/sealed-token.ts'
import { hasTwo } from '../request-head.ts'

const METHODS = 'GET, HEAD'

/** A guide is for its client alone, and no cache may store it. */
const PRIVATE = {
  'cache-control': 'no-store, private',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  vary: 'Authorization, Accept',
}

/** A guide is one document that loads nothing and runs nothing. */
const HTML_POLICY = { 'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'" }

/**
 * Answers a client with its own guide. Only a token that a service accepts says who the client is.
 * @throws Refusal, and what the token check and the making of the guide throw.
 */
export async function answerGuide(
  gateway: Gateway,
  guides: ClientGuides,
  call: Call,
  incoming: IncomingMessage,
): Promise<LegacyAnswer> {
  call.notes.isGuide = true
  const { method, query, headers } = call.request
  if (method === 'OPTIONS') {
    const preflight = gateway.cors?.preflight(call.request, METHODS)
    return { status: 204, headers: { allow: `${METHODS}, OPTIONS`, ...preflight }, body: null }
  }
  if (method !== 'GET' && method !== 'HEAD') {
    throw new Refusal(405, 'method-not-allowed', { values: { allow: METHODS }, headers: { allow: METHODS } })
  }
  // A proxy in between may have checked the other one.
  if (hasTwo(incoming, 'authorization')) throw new Refusal(400, 'not-valid')
  const form = guideForm(Object.fromEntries(new URLSearchParams(query)), headers.accept)
  if (typeof form === 'string')
    throw new Refusal(400, 'not-valid', { violations: [{ path: form, message: 'invalid-value' }] })
  const { authorization } = headers
  if (authorization === undefined || isLoose(call, authorization) || !(await guides.isAccepted(gateway, call))) {
    return unauthorized(gateway, authorization)
  }
  const texts = await guides.of(ownName(gateway, call, authorization), form.language)
  if (texts === undefined) {
    throw new Refusal(404, 'guide-unknown', { headers: { ...PRIVATE, vary: `${PRIVATE.vary}, Accept-Language` } })
  }
  return {
    status: 200,
    headers: { 'content-type': form.type, ...PRIVATE, ...(form.text === 'html' && HTML_POLICY) },
    body: Buffer.from(texts[form.text]),
  }
}

/** Whether a token of ours is not written as it was issued, with the scheme Bearer. Such a token is good for calls, which a service judges. */
const isLoose = ({ credentials }: Call, authorization: string): boolean =>
  credentials.isOurs && tokenIn(authorization) !== sealedIn(authorization)

/** Returns the name that the client counts under. A service has just accepted its token. */
const ownName = ({ knownTokens }: Gateway, { credentials }: Call, authorization: string): string =>
  credentials.client === undefined ? knownTokens.accepted(authorization).name : countedName(credentials.client)

/** Authorization messages are always Turkish (docs/contract.md 2.3). */
function unauthorized({ messages }: Gateway, authorization: string | undefined): LegacyAnswer {
  // RFC 6750 section 3.1: without a token, no error is named.
  const challenge = `Bearer realm="legacy-gateway"${authorization === undefined ? '' : ', error="invalid_token"'}`
  return jsonAnswer(401, JSON.stringify({ message: say(messages, 'tr', 'status-401') }), {
    ...PRIVATE,
    'www-authenticate': challenge,
  })
}
