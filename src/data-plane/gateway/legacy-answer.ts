import { Readable } from 'node:stream'

/** An answer in the legacy shape. */
export interface LegacyAnswer {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[]>>
  /** Null: no body. A stream: the body is passed through as it arrives. */
  readonly body: Uint8Array | Readable | null
  /** Whether nothing else uses the body, so that its memory can be released once it is written. */
  readonly isOwn?: boolean
}

/** Returns an answer with a JSON body that nothing else uses. */
export function ownJsonAnswer(status: number, body: Uint8Array): LegacyAnswer {
  return { status, headers: JSON_HEADERS, body, isOwn: true }
}

/** Names and messages are in the language that the client asks for (RFC 9110 section 12.5.5). */
const JSON_HEADERS = { 'content-type': 'application/json', vary: 'Accept-Language' }

/** Returns an answer with a JSON body. Text is encoded here, because bytes are written faster. */
export function jsonAnswer(
  status: number,
  body: Uint8Array | string,
  headers: Readonly<Record<string, string>> = {},
): LegacyAnswer {
  return { status, headers: { ...JSON_HEADERS, ...headers }, body: typeof body === 'string' ? Buffer.from(body) : body }
}

/** Whether the legacy service broke the answer off. A client that hangs up destroys the stream too, which does not count. */
export function brokeOff({ body }: LegacyAnswer): boolean {
  const error = body instanceof Readable ? body.errored : null
  return error !== null && !('code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE')
}

/** Whether the client hung up while the answer was passed through. */
export const isAbandoned = (answer: LegacyAnswer): boolean =>
  answer.body instanceof Readable && !brokeOff(answer) && (answer.body.errored !== null || !answer.body.readableEnded)
