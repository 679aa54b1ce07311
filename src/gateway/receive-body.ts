import type { IncomingMessage } from 'node:http'
import { Refusal } from './errors/refusal.ts'

const NO_BODY = new Uint8Array()

/**
 * Receives a request's body, which may be empty: at once where it has come with its head, as most do. It rejects with a
 * Refusal: 413 when it is larger than `limit` bytes (by the announced length before it is read, else while it is read), 415
 * when it has a content coding, 400 when the client goes before it has come.
 */
export function receiveBody(incoming: IncomingMessage, limit: number): Uint8Array | Promise<Uint8Array> {
  const encoding = incoming.headers['content-encoding']?.trim().toLowerCase()
  if (encoding !== undefined && encoding !== '' && encoding !== 'identity') {
    return Promise.reject(new Refusal(415, 'content-encoding', { headers: CLOSE }))
  }
  return receiveAsItIs(incoming, limit)
}

/** The same, whatever its content coding is. */
export function receiveAsItIs(incoming: IncomingMessage, limit: number): Uint8Array | Promise<Uint8Array> {
  if (Number(incoming.headers['content-length'] ?? 0) > limit) return Promise.reject(bodyTooLarge(limit))
  if (incoming.destroyed) return Promise.reject(new Refusal(400, 'body-missing'))
  const isHere = incoming.complete && incoming.readableLength <= limit
  return isHere ? ((incoming.read() as Buffer | null) ?? NO_BODY) : receiveParts(incoming, limit)
}

function receiveParts(incoming: IncomingMessage, limit: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    const stop = (): void => {
      incoming.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone)
    }
    const onData = (chunk: Buffer): void => {
      length += chunk.length
      chunks.push(chunk)
      if (length <= limit) return
      stop()
      incoming.pause()
      reject(bodyTooLarge(limit))
    }
    const onEnd = (): void => {
      stop()
      resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, length))
    }
    const onGone = (): void => {
      stop()
      reject(new Refusal(400, 'body-missing'))
    }
    incoming.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone)
  })
}

/** RFC 9112 section 6.1: Node undoes chunks, and hands on any other transfer coding as if it were the body. */
export function refuseTransferCoding(incoming: IncomingMessage): void {
  const coding = incoming.headers['transfer-encoding']?.trim().toLowerCase() ?? 'chunked'
  if (coding !== 'chunked') throw new Refusal(415, 'content-encoding', { headers: CLOSE })
}

export const bodyTooLarge = (limit: number): Refusal =>
  new Refusal(413, 'too-large', { values: { limit: String(limit) }, headers: CLOSE })

/** What is left of a body that is not read would be taken for the next request: the connection is not kept. */
const CLOSE = { connection: 'close' }
