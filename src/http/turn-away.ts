import type { Socket } from 'node:net'

/** How long a client that was turned away may still write, before its connection is closed whatever it does. */
const PATIENCE_MS = 500

/**
 * Answers a connection 503 without reading what it asks, and closes it. Nothing of it is HTTP any more.
 * @param body JSON.
 * @param hasTime whether the client gets the time to read the answer: a client that still writes when its connection is closed
 *   is reset, and may lose what it has not read (RFC 9112 section 9.6).
 * @param done told when the connection is closed.
 */
export function turnAway(socket: Socket, body: string, hasTime: boolean, done: () => void): void {
  // Node's parser lets go of a socket when somebody else reads it.
  socket.removeAllListeners('data').on('data', () => undefined)
  socket.resume()
  socket.end(
    [
      'HTTP/1.1 503 Service Unavailable',
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Retry-After: 1',
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  )
  const impatience = hasTime ? setTimeout(() => socket.destroy(), PATIENCE_MS) : undefined
  socket.once('close', () => {
    clearTimeout(impatience)
    done()
  })
  if (!hasTime) socket.destroySoon()
}
