import type { Socket } from 'node:net'
import { stopParsing } from './close-gently.ts'
import { rawAnswer } from './raw-answer.ts'

/** How long a client that was turned away may still write before its connection is closed. */
const PATIENCE_MS = 500

/**
 * Answers a connection with 503 without reading its request, and closes it.
 * @param body JSON.
 * @param hasTime whether the client gets time to read the answer. A client that still writes when its connection is closed is
 *   reset, and may lose what it has not read (RFC 9112 section 9.6).
 * @param done called when the connection is closed.
 */
export function turnAway(socket: Socket, body: string, hasTime: boolean, done: () => void): void {
  stopParsing(socket)
  socket.resume()
  socket.end(rawAnswer(503, { headers: { 'Content-Type': 'application/json', 'Retry-After': '1' }, body }))
  const timeout = hasTime ? setTimeout(() => socket.destroy(), PATIENCE_MS) : undefined
  socket.once('close', () => {
    clearTimeout(timeout)
    done()
  })
  if (!hasTime) socket.destroySoon()
}
