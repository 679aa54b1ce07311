import type { IncomingMessage } from 'node:http'
import type { Holder, MemoryBudget } from '../upstream/memory-budget.ts'
import { Refusal } from './errors/refusal.ts'

const NO_BODY = new Uint8Array()

/** A body is there once as it came, and twice while it is translated. */
export const BODY_FACTOR = 3
/** How long a body waits for room; ms. */
const PATIENCE_MS = 5_000

/** What receiving a body needs. */
export interface Receiving {
  /** Of a body, in bytes. */
  readonly maxBodyBytes: number
  /** Undefined: nobody counts what bodies take. */
  readonly memory: MemoryBudget | undefined
}

/**
 * Receives a request's body, which may be empty: at once where it has come with its head, as most do. It rejects with a
 * Refusal: 413 when it is larger than `limit` bytes (by the announced length before it is read, else while it is read), 415
 * when it has a content coding, 400 when the client goes before it has come; and with an UpstreamError, `overloaded`, when for
 * seconds there is no room for it. Its memory is held by `holder`, who lets go of it.
 */
export function receiveBody(
  incoming: IncomingMessage,
  receiving: Receiving,
  holder: Holder,
): Uint8Array | Promise<Uint8Array> {
  const encoding = incoming.headers['content-encoding']?.trim().toLowerCase()
  if (encoding !== undefined && encoding !== '' && encoding !== 'identity') {
    return Promise.reject(new Refusal(415, 'content-encoding', { headers: CLOSE }))
  }
  return receiveAsItIs(incoming, receiving, holder)
}

/** The same, whatever its content coding is. */
export function receiveAsItIs(
  incoming: IncomingMessage,
  receiving: Receiving,
  holder: Holder,
): Uint8Array | Promise<Uint8Array> {
  const { maxBodyBytes: limit, memory } = receiving
  const announced = Number(incoming.headers['content-length'] ?? 0)
  if (announced > limit) return Promise.reject(bodyTooLarge(limit))
  if (incoming.destroyed) return Promise.reject(new Refusal(400, 'body-missing'))
  const isHere = incoming.complete && incoming.readableLength <= limit
  const bytes = (isHere ? incoming.readableLength : announced) * BODY_FACTOR
  // Nothing is read before there is room for it.
  if (memory?.hold(holder, bytes) === false) return receiveLater(incoming, receiving, holder, bytes)
  return isHere ? ((incoming.read() as Buffer | null) ?? NO_BODY) : receiveParts(incoming, receiving, holder)
}

async function receiveLater(
  incoming: IncomingMessage,
  receiving: Receiving,
  holder: Holder,
  bytes: number,
): Promise<Uint8Array> {
  await receiving.memory?.holdWithin(holder, bytes, 'request', PATIENCE_MS)
  if (incoming.destroyed) throw new Refusal(400, 'body-missing')
  return receiveParts(incoming, receiving, holder)
}

function receiveParts(
  incoming: IncomingMessage,
  { maxBodyBytes: limit, memory }: Receiving,
  holder: Holder,
): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const announced = Number(incoming.headers['content-length'] ?? 0)
    /** One that says its length is put together while it comes: so it is there once. */
    const whole = announced > 0 ? Buffer.allocUnsafeSlow(announced) : undefined
    const chunks: Buffer[] = []
    let length = 0
    /** There is room for so much. */
    let enoughFor = holder.held / BODY_FACTOR
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
      if (memory === undefined || length > limit || length <= enoughFor) return
      // Nobody has said how much comes.
      const more = (length - enoughFor) * BODY_FACTOR
      enoughFor = length
      if (memory.hold(holder, more)) return
      incoming.pause()
      memory.holdWithin(holder, more, 'request', PATIENCE_MS).then(() => incoming.resume(), refuse)
    }
    const onEnd = (): void => {
      stop()
      resolve(whole ?? (chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, length)))
    }
    const onGone = (): void => {
      stop()
      reject(new Refusal(400, 'body-missing'))
    }
    incoming.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone)
  })
}

export const bodyTooLarge = (limit: number): Refusal =>
  new Refusal(413, 'too-large', { values: { limit: String(limit) }, headers: CLOSE })

/** What is left of a body that is not read would be taken for the next request: the connection is not kept. */
const CLOSE = { connection: 'close' }
