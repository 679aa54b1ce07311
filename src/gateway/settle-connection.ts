import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { closeGently } from '../http/close-gently.ts'
import { discardBody } from './discard-body.ts'
import type { LegacyAnswer } from './legacy-answer.ts'

/**
 * Discards the rest of the request, so that the connection can be used again. If that takes more than `limit` bytes or
 * two seconds, the answer closes the connection.
 */
export function settleConnection(
  answer: LegacyAnswer,
  incoming: IncomingMessage,
  limit: number,
): LegacyAnswer | Promise<LegacyAnswer> {
  const keeps = canKeepConnection(answer, incoming, limit)
  if (keeps === true) return answer
  const closing = (): LegacyAnswer => {
    closeGently(incoming.socket)
    return { ...answer, headers: { ...answer.headers, connection: 'close' } }
  }
  return keeps === false ? closing() : keeps.then((isSettled) => (isSettled ? answer : closing()))
}

/** Whether the next request on the connection can be told apart from the rest of this one. */
function canKeepConnection(
  { headers, body }: LegacyAnswer,
  incoming: IncomingMessage,
  limit: number,
): boolean | Promise<boolean> {
  if (headers.connection !== undefined) return false
  // A streamed answer may not end before the rest of the request has arrived.
  return body instanceof Readable ? incoming.complete : discardBody(incoming, limit)
}
