import type { IncomingMessage } from 'node:http'
import type { Holder, MemoryBudget } from '../upstream/memory-budget.ts'
import { ClientAbort } from './client-abort.ts'
import { Refusal } from './errors/refusal.ts'

const NO_BODY = new Uint8Array()

/** Memory per byte of a body: one copy as received, and two while it is translated. */
export const BODY_FACTOR = 3

/** Limits for receiving a body: the gateway has them. */
export interface Receiving {
  readonly maxBodyBytes: number
  /** Undefined: memory is not counted. */
  readonly memory: MemoryBudget | undefined
}

/**
 * Receives a request's body as it was sent, which may be empty. Returns it at once if it arrived together with the head, as most do.
 * `holder` holds its memory; the owner of `holder` releases it. Rejects with
 *
 * - a Refusal 413 if the body is larger than `maxBodyBytes`: by the announced length before it is read, otherwise while it is read;
 * - a ClientAbort if the client hangs up before it has arrived;
 * - an UpstreamError `overloaded` if there is no memory for it for five seconds.
 */
export function receiveBody(
  incoming: IncomingMessage,
  receiving: Receiving,
  holder: Holder,
): Uint8Array | Promise<Uint8Array> {
  const { maxBodyBytes: limit, memory } = receiving
  const announced = Number(incoming.headers['content-length'] ?? 0)
  if (announced > limit) return Promise.reject(bodyTooLarge(limit))
  if (incoming.destroyed) return Promise.reject(aborted())
  const isComplete = incoming.complete && incoming.readableLength <= limit
  const bytes = (isComplete ? incoming.readableLength : announced) * BODY_FACTOR
  // Nothing is read before there is memory for it.
  if (memory?.hold(holder, 'request', bytes) === false) return receiveLater(incoming, receiving, holder, bytes)
  return isComplete ? ((incoming.read() as Buffer | null) ?? NO_BODY) : receiveParts(incoming, receiving, holder)
}

async function receiveLater(
  incoming: IncomingMessage,
  receiving: Receiving,
  holder: Holder,
  bytes: number,
): Promise<Uint8Array> {
  await receiving.memory?.holdSoon(holder, 'request', bytes)
  if (incoming.destroyed) throw aborted()
  return receiveParts(incoming, receiving, holder)
}

function receiveParts(
  incoming: IncomingMessage,
  { maxBodyBytes: limit, memory }: Receiving,
  holder: Holder,
): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const announced = Number(incoming.headers['content-length'] ?? 0)
    /** A body of announced length is assembled as it arrives, so that it is in memory only once. */
    const whole = announced > 0 ? Buffer.allocUnsafeSlow(announced) : undefined
    const chunks: Buffer[] = []
    let length = 0
    /** The length for which memory is held. */
    let heldFor = holder.request / BODY_FACTOR
    const stop = (): void => {
      incoming.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone)
    }
    const refuse = (error: Error): void => {
      stop()
      incoming.pause()
      reject(error)
    }
    const onData = (chunk: Buffer): void => {
      if (whole === undefined) chunks.push(chunk)
      else whole.set(chunk, length)
      length += chunk.length
      if (length > limit) refuse(bodyTooLarge(limit))
      if (memory === undefined || length > limit || length <= heldFor) return
      // The length was not announced.
      const more = (length - heldFor) * BODY_FACTOR
      heldFor = length
      if (memory.hold(holder, 'request', more)) return
      incoming.pause()
      memory.holdSoon(holder, 'request', more).then(() => incoming.resume(), refuse)
    }
    const onEnd = (): void => {
      stop()
      resolve(whole ?? (chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, length)))
    }
    const onGone = (): void => {
      stop()
      reject(aborted())
    }
    incoming.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone)
  })
}

const aborted = (): ClientAbort => new ClientAbort('the client hung up before its body had arrived')

export const bodyTooLarge = (limit: number): Refusal =>
  new Refusal(413, 'too-large', { values: { limit: String(limit) }, headers: CLOSE })

/** The connection is not kept: the unread rest of a body would be taken for the next request. */
const CLOSE = { connection: 'close' }
