import { createHmac } from 'node:crypto'
import type { OutboxMessage } from '../audit.ts'

/**
 * Sends a body to the receiver, once. Resolves with the status of the answer. Rejects if there is no answer; the error's message
 * is safe to log.
 */
export type Post = (body: Uint8Array, headers: Readonly<Record<string, string>>) => Promise<number>

/** Sends a message once. Resolves with undefined if the receiver took it, otherwise with the reason in words. Never rejects. */
export async function sendMessage(
  { id, body }: Pick<OutboxMessage, 'id' | 'body'>,
  post: Post,
  secret: string,
): Promise<string | undefined> {
  try {
    const bytes = Buffer.from(body)
    const status = await post(bytes, signedHeaders(id, bytes, secret))
    if (status >= 200 && status < 300) return undefined
    return `it answered ${status}${status >= 300 && status < 400 ? ', and redirects are not followed' : ''}`
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** Returns the headers of a message. */
export const signedHeaders = (id: string, body: Uint8Array, secret: string): Readonly<Record<string, string>> => ({
  'content-type': 'application/json',
  // The header's name is from Standard Webhooks. It is the same for each attempt, so that a receiver can recognise a repetition.
  'webhook-id': encodeURI(id),
  'x-signature': signatureOf(body, secret),
})

/** Returns the header `X-Signature` for a body: HMAC-SHA-256 with the secret, in hex (docs/brake.md "Webhooks"). */
export const signatureOf = (body: Uint8Array, secret: string): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
