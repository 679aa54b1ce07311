import type { Socket } from 'node:net'

export interface SlowReaderOptions {
  /** How long a client may leave its answer unread. */
  readonly patienceMs: number
  /** How often to look for stalled clients. */
  readonly everyMs: number
}

/**
 * Closes the connections of clients that stop reading their answers, because the rest of each answer stays in memory. Keeps
 * clients that read on, however slowly. A periodic check costs the calls nothing.
 * @returns a function that stops the check.
 */
export function cutSlowReaders(
  connections: Iterable<{ readonly socket: Socket | null }>,
  { patienceMs, everyMs }: SlowReaderOptions,
): () => void {
  const check = setInterval(() => {
    for (const { socket } of connections) {
      // The socket times out when its unread data stops shrinking, and the server then closes it. The server resets the
      // time-out before the next request.
      if (socket !== null && socket.writableLength > 0 && !socket.timeout) socket.setTimeout(patienceMs)
    }
  }, everyMs).unref()
  return () => clearInterval(check)
}
