import { createHmac } from 'node:crypto'

/** Returns the header `X-Signature` for a body: HMAC-SHA-256 with the secret, in hex (docs/cutover.md "Webhooks"). */
export const signatureOf = (body: Uint8Array, secret: string): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
