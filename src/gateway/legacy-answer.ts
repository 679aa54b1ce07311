import type { Readable } from 'node:stream'

/** An answer in the legacy shape. */
export interface LegacyAnswer {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[]>>
  /** Null: no body. A stream is one that is passed through, as it comes. */
  readonly body: Uint8Array | Readable | null
  /** Nobody else has the body, whose memory can be given back when it has been written. */
  readonly isOwn?: boolean
}

/** An answer with a JSON body that was made for it alone. */
export function ownJsonAnswer(status: number, body: Uint8Array): LegacyAnswer {
  return { status, headers: OWN, body, isOwn: true }
}

/** Names and messages are in the language that the client asks for (RFC 9110 section 12.5.5). */
const OWN = { 'content-type': 'application/json', vary: 'Accept-Language' }

/** An answer with a JSON body, as text or as bytes that are JSON already. Bytes go out faster than letters. */
export function jsonAnswer(
  status: number,
  body: Uint8Array | string,
  headers: Readonly<Record<string, string>> = {},
): LegacyAnswer {
  return { status, headers: { ...OWN, ...headers }, body: typeof body === 'string' ? Buffer.from(body) : body }
}
