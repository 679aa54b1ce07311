import type { Socket } from 'node:net'

export interface SlowReaderOptions {
  /** So long a client may read nothing of what waits for it; ms. */
  readonly patienceMs: number
  /** How often it is looked for such clients; ms. */
  readonly everyMs: number
}

/**
 * Hangs up on clients that do not read their answers: what is left of one stays in memory for as long as they stay. One who
 * reads on, however slowly, is left alone. Looking for them now and then costs the calls nothing.
 * @returns what stops that.
 */
export function cutSlowReaders(
  connections: Iterable<{ readonly socket: Socket | null }>,
  { patienceMs, everyMs }: SlowReaderOptions,
): () => void {
  const look = setInterval(() => {
    for (const { socket } of connections) {
      // The socket watches whether what waits grows less, and is closed by the server when it does not. The server takes the
      // time-out back before the next request.
      if (socket !== null && socket.writableLength > 0 && !socket.timeout) socket.setTimeout(patienceMs)
    }
  }, everyMs).unref()
  return () => clearInterval(look)
}
