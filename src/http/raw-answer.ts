import { STATUS_CODES } from 'node:http'

/** An answer that Node's HTTP server does not write. */
export interface RawAnswer {
  readonly headers: Readonly<Record<string, string>>
  /** JSON; empty: no body. */
  readonly body: string
}

/** Returns the bytes of an answer after which the connection is closed. */
export function rawAnswer(status: number, { headers, body }: RawAnswer): string {
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n')
}
