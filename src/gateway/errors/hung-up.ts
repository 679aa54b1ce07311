import type { ServerResponse } from 'node:http'
import type { Caller } from '../../upstream/caller.ts'

/** The client is gone before it was answered; what nobody waits for any more is given up. */
export class HungUp extends Error {
  override readonly name = 'HungUp'
}

/** Whoever waits for a response: gone, with a HungUp, when the connection closes before it has been written whole. */
export function callerOf(outgoing: ServerResponse): Caller {
  return new ResponseCaller(outgoing)
}

/**
 * In place of an AbortSignal, which with one listener took 1.0 µs a call where this took 0.5 µs. Nothing is listened to before
 * somebody asks for it.
 */
class ResponseCaller implements Caller {
  readonly #outgoing: ServerResponse
  #listeners: Set<(reason: Error) => void> | undefined
  #gone: Error | undefined

  constructor(outgoing: ServerResponse) {
    this.#outgoing = outgoing
  }

  get gone(): Error | undefined {
    const { closed, writableFinished } = this.#outgoing
    if (closed && !writableFinished) this.#gone ??= new HungUp('the client hung up')
    return this.#gone
  }

  onGone(listener: (reason: Error) => void): () => void {
    const listeners = this.#listeners ?? this.#listen()
    listeners.add(listener)
    return () => listeners.delete(listener)
  }

  #listen(): Set<(reason: Error) => void> {
    const listeners = new Set<(reason: Error) => void>()
    this.#listeners = listeners
    this.#outgoing.on('close', () => {
      const { gone } = this
      if (gone !== undefined) for (const each of listeners) each(gone)
    })
    return listeners
  }
}
