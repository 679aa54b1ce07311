import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { closeGently, discardBody } from './discard-body.ts'
import type { LegacyAnswer } from './legacy-answer.ts'

/**
 * Reads what is left of the request, so that the connection can be used again. Where that cannot be done within `limit` bytes,
 * the answer says that the connection ends behind it.
 */
export async function settleConnection(
  answer: LegacyAnswer,
  incoming: IncomingMessage,
  limit: number,
): Promise<LegacyAnswer> {
  if (await canKeepConnection(answer, incoming, limit)) return answer
  closeGently(incoming.socket)
  return { ...answer, headers: { ...answer.headers, connection: 'close' } }
}

/** Whether the next request on the connection can be told from the rest of this one. */
function canKeepConnection(
  { headers, body }: LegacyAnswer,
  incoming: IncomingMessage,
  limit: number,
): boolean | Promise<boolean> {
  if (headers.connection !== undefined) return false
  // What is streamed may need the rest of the request to come to its end.
  return body instanceof Readable ? incoming.complete : discardBody(incoming, limit)
}
