import type { BodyAsSent, CapturedExchange, Exchange, SideAnswer } from '../../exchange/exchange.ts'
import { decodeBody, withoutMark } from '../upstream/decode-body.ts'
import { Holder } from '../upstream/memory-budget.ts'
import { UpstreamError } from '../upstream/upstream-error.ts'
import { MAX_CAPTURED } from './body-capture.ts'
import { Refusal } from './errors/refusal.ts'
import { plainBody, plainType } from './plain-body.ts'
import type { Receiving } from './receive-body.ts'

/**
 * Returns a captured exchange whose answer can be read, and whose request's body is plain, as v1 would be asked. A body that cannot be
 * read stays as it was sent, with the status that refuses it. Rejects with an UpstreamError if there is no memory for it.
 */
export function readCaptured(captured: CapturedExchange, receiving: Receiving): Exchange | Promise<Exchange> {
  const { asSent } = captured.request
  const exchange = { ...captured, answer: () => answerOf(captured) }
  return asSent === undefined ? exchange : withPlainBody(exchange, asSent, receiving)
}

async function answerOf({ answer: { body, encoding, ...answer } }: CapturedExchange): Promise<SideAnswer> {
  if (body === undefined) throw new UpstreamError('unreachable', 'the answer broke off')
  const decoded = encoding === undefined ? body : await decodeBody(body, encoding, MAX_CAPTURED)
  // Without a byte order mark, like the other side's answer, so that the mark is not a difference.
  return { ...answer, body: withoutMark(decoded) }
}

async function withPlainBody(
  exchange: Exchange,
  asSent: BodyAsSent,
  { maxBodyBytes, memory }: Receiving,
): Promise<Exchange> {
  const holder = new Holder()
  try {
    const body = await plainBody(asSent.body, asSent.headers, { maxBodyBytes, memory }, holder)
    const headers = { ...exchange.request.headers, 'content-type': plainType(asSent.headers['content-type']) }
    return { ...exchange, request: { ...exchange.request, headers, body }, size: exchange.size + body.length }
  } catch (error) {
    if (error instanceof Refusal) {
      return { ...exchange, request: { ...exchange.request, asSent: { ...asSent, refused: error.status } } }
    }
    throw error
  } finally {
    memory?.end(holder)
  }
}
