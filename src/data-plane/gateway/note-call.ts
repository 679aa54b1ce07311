import type { Observe } from '../../observe/observe-call.ts'
import { UNIDENTIFIED } from '../../observe/traffic.ts'
import { countsFor, isChosen } from './answering-side.ts'
import { givenUp } from './client-abort.ts'
import { failureOf } from './errors/translate-error.ts'
import type { Call, Gateway } from './gateway.ts'
import type { LegacyAnswer } from './legacy-answer.ts'
import { countedName } from './login/client-names.ts'
import type { KnownTokens } from './login/known-tokens.ts'
import { withoutSealed } from './login/sealed-token.ts'
import { takeExchange } from './take-exchange.ts'

/**
 * Reports an answered call: to comparison and recording, then to the log and the metrics.
 * @param error what the call threw, if anything.
 */
export function noteCall(
  gateway: Gateway,
  observe: Observe,
  call: Call,
  answer: LegacyAnswer,
  error: unknown,
  milliseconds: number,
): void {
  const { request, operation, notes } = call
  const client = countedClient(gateway.knownTokens, call, answer.status)
  const failure = error === undefined ? undefined : failureOf(error)
  takeExchange(gateway, call, { answer, error, failure, milliseconds, countedClient: client })
  observe({
    requestId: request.requestId,
    at: call.at,
    method: request.method,
    path: withoutSealed(request.path),
    peer: request.peer,
    operation: operation?.mapping.id,
    client,
    agent: cut(request.headers['user-agent']),
    answeredBy: countsFor(error, call),
    dropped: notes.dropped.size,
    status: answer.status,
    v1Status: notes.v1Status,
    v1Code: notes.answeredBy === 'v1' ? codeOf(answer) : undefined,
    v1Calls: notes.v1Calls,
    legacyStatus: notes.legacyStatus,
    milliseconds,
    v1Milliseconds: notes.v1Milliseconds,
    legacyMilliseconds: notes.legacyMilliseconds,
    brownout: notes.brownout,
    isGuide: notes.isGuide,
    isOutcomeUnknown: notes.outcome?.isUnknown,
    repeats: notes.outcome?.repeats,
    isChosen: isChosen(call) || undefined,
    isWishIgnored: call.choice === 'ignored' || undefined,
    givenUp: givenUp(call),
    failure,
    error,
  })
}

/** The longest user agent that is kept: callers may send one of any length. */
const MAX_AGENT = 200

const cut = (agent: string | undefined): string | undefined =>
  agent === undefined ? undefined : withoutSealed(agent.length > MAX_AGENT ? agent.slice(0, MAX_AGENT) : agent)

/** v1's error code; a success has none. */
const codeOf = ({ status, headers }: LegacyAnswer): string | undefined =>
  status < 400 ? undefined : (headers['x-gateway-code'] as string | undefined)

/**
 * Returns the client that an answered call counts under, in metrics and on the dashboard: the first of
 * - the client that its login or our own token names,
 * - the client whose login got the token, if this or another replica served that login,
 * - the hash of the token, if a service has accepted it, now or before,
 * - `UNIDENTIFIED`, which all other calls share: with a token that no service has accepted, without a token, and all that were refused
 *   (401, 403, unknown paths), unless the first line names a client.
 */
function countedClient(tokens: KnownTokens, call: Call, status: number): string {
  const { credentials, request, notes } = call
  const named = notes.loggedIn ?? credentials.client
  if (named !== undefined) return countedName(named)
  const { authorization } = request.headers
  if (authorization === undefined || isRefused(call, status)) return UNIDENTIFIED
  if (isVouchedFor(call, status)) return tokens.accepted(authorization).name
  return tokens.get(authorization)?.name ?? UNIDENTIFIED
}

const isRefused = ({ operation }: Call, status: number): boolean =>
  status === 401 || status === 403 || (operation === undefined && status >= 400)

/**
 * Whether the answer shows that the token is valid: we issued it, or a call that needs one succeeded, answered by a service or from
 * a list that is cached for this token alone. OPTIONS needs no token.
 */
function isVouchedFor({ operation, credentials, request }: Call, status: number): boolean {
  if (credentials.isOurs) return true
  if (operation?.mapping.authorization !== 'token' || request.method === 'OPTIONS') return false
  return (status >= 200 && status < 300) || status === 304
}
