import type { Caller } from '../upstream/caller.ts'
import { endOfTurn } from '../upstream/end-of-turn.ts'

/** A client that called in this turn of the event loop. */
interface Client {
  begun: number
  readonly waiting: (() => void)[]
}

const PER_TURN = 16

const clients = new Map<string, Client>()

/**
 * Resolves when a client's call may begin: at the end of this turn of the event loop, or later if the client has 16 calls in it
 * already. Its calls begin in the order of arrival. So a client with thousands of connections delays another one by 16 calls, not
 * by thousands, also when nothing else limits it, because the gateway itself answers (docs/decisions/0093).
 */
export function turnOf(name: string, caller: Caller): Promise<void> {
  let client = clients.get(name)
  if (client === undefined) {
    if (clients.size === 0) setImmediate(nextTurn)
    client = { begun: 0, waiting: [] }
    clients.set(name, client)
  }
  if (client.begun < PER_TURN) {
    client.begun++
    return endOfTurn()
  }
  const { waiting } = client
  caller.waits(true)
  return new Promise((resolve) => {
    waiting.push(() => {
      caller.waits(false)
      resolve()
    })
  })
}

function nextTurn(): void {
  for (const [name, client] of clients) {
    if (client.waiting.length === 0) {
      clients.delete(name)
      continue
    }
    const next = client.waiting.splice(0, PER_TURN)
    client.begun = next.length
    for (const begin of next) begin()
  }
  if (clients.size > 0) setImmediate(nextTurn)
}
