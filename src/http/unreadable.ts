import type { Socket } from 'node:net'

/** What a client sent in place of a request. */
export interface Unreadable {
  readonly status: 400 | 408 | 413 | 431
  /** Node's code, such as `HPE_INVALID_METHOD`. */
  readonly code: string
  /** The address at the other end of the connection. */
  readonly peer: string | undefined
  /** False: calls before it are under way, and the connection is closed after their answers. */
  readonly isAnswered: boolean
}

const STATUSES: Readonly<Record<string, 408 | 413 | 431>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
}

/** @param error of Node's HTTP server. */
export function unreadableOf({ code = '' }: NodeJS.ErrnoException, socket: Socket, isAnswered: boolean): Unreadable {
  return { status: STATUSES[code] ?? 400, code, peer: socket.remoteAddress, isAnswered }
}
