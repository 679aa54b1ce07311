import type { ServerResponse } from 'node:http'
import type { CallRecord } from '../../observe/observe-call.ts'
import { Connection } from '../http/connection.ts'
import type { Caller, GoneListener } from '../upstream/fair-queue.ts'
import type { Call } from './gateway.ts'

/** The client hung up before it was answered, so its call is given up. */
export class ClientAbort extends Error {
  override readonly name = 'ClientAbort'
  /** When; ms of `performance.now()`. */
  readonly at: number

  constructor(message: string, at = performance.now()) {
    super(message)
    this.at = at
  }
}

/**
 * The caller that waits for a response. It is gone, with a ClientAbort, once the connection closes before the response is written whole.
 * Replaces an AbortSignal, which with one listener took 1.0 µs a call; this takes 0.5 µs. Listens to nothing before it has a listener
 * itself.
 */
export class ResponseCaller implements Caller {
  readonly #outgoing: ServerResponse
  #listeners: GoneListener[] | undefined
  #gone: Error | undefined

  constructor(outgoing: ServerResponse) {
    this.#outgoing = outgoing
  }

  get gone(): Error | undefined {
    const { closed, writableFinished, req } = this.#outgoing
    // While earlier answers of its connection are not written, the response itself has no socket.
    if (closed && !writableFinished)
      this.#gone ??= new ClientAbort('the client hung up', Connection.of(req.socket)?.closedAt)
    return this.#gone
  }

  onGone(listener: GoneListener): void {
    this.#listeners ??= this.#listen()
    this.#listeners.push(listener)
  }

  offGone(listener: GoneListener): void {
    const at = this.#listeners?.indexOf(listener) ?? -1
    if (at !== -1) this.#listeners?.splice(at, 1)
  }

  #listen(): GoneListener[] {
    const listeners: GoneListener[] = []
    this.#outgoing.on('close', () => {
      const { gone } = this
      if (gone !== undefined) while (listeners.length > 0) listeners.shift()?.(gone)
    })
    return listeners
  }
}

/**
 * Returns after how long a client gave up the service that should answer its call, without the wait for a slot, and whether the call is a
 * read; undefined if it did not. A client that hangs up while the gateway still receives its body or keeps it waiting for a slot has not
 * given up the service, and neither has one that hangs up after the service has answered, however slowly it reads. An answer that is
 * passed through counts as given once its head has arrived.
 */
export function givenUp({ caller, operation, notes }: Call): CallRecord['givenUp'] {
  const gone = caller?.gone
  if (!(gone instanceof ClientAbort)) return undefined
  const { since, until } = notes.answeredBy === 'v1' ? notes.v1Asking : notes.legacyAsking
  if (since === undefined || gone.at < since || (until !== undefined && until < gone.at)) return undefined
  return { afterMs: gone.at - since, isRead: operation?.mapping.effect === 'read' }
}
