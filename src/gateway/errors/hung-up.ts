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

/** An AbortSignal costs a call more than all that listens to it. */
class ResponseCaller implements Caller {
  gone: Error | undefined
  readonly #listeners = new Set<(reason: Error) => void>()

  constructor(outgoing: ServerResponse) {
    outgoing.once('close', () => {
      if (outgoing.writableFinished) return
      this.gone = new HungUp('the client hung up')
      for (const listener of this.#listeners) listener(this.gone)
    })
  }

  onGone(listener: (reason: Error) => void): void {
    this.#listeners.add(listener)
  }

  offGone(listener: (reason: Error) => void): void {
    this.#listeners.delete(listener)
  }
}
