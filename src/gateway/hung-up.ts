import type { ServerResponse } from 'node:http'

/** The client is gone before it was answered; what nobody waits for any more is given up. */
export class HungUp extends Error {
  override readonly name = 'HungUp'
}

/** Aborts, with a HungUp, when the client goes before its answer has been written whole. */
export function hangUpOf(outgoing: ServerResponse): AbortSignal {
  const controller = new AbortController()
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) controller.abort(new HungUp('the client hung up'))
  })
  return controller.signal
}
