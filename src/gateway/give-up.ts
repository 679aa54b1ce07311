import type { Call } from './call.ts'
import { HungUp } from './errors/hung-up.ts'
import type { Notes } from './notes.ts'

/** A client hung up while the service that should answer its call was asked. */
export interface GivenUp {
  /** How long the service had been asked, without the wait for a slot. */
  readonly afterMs: number
  /** Whether the call is a read: v1 is no longer asked for it then, so nobody knows what it would have answered. */
  readonly isRead: boolean
}

/**
 * Returns how a client gave up its call; undefined if it did not. A client that hangs up while the gateway still receives its body or keeps it
 * waiting for a slot has not given up the service, and neither has one that hangs up after the service has answered, however slowly it reads.
 * An answer that is passed through counts as given once its head has arrived.
 */
export function givenUp({ caller, operation }: Call, notes: Notes): GivenUp | undefined {
  const gone = caller?.gone
  if (!(gone instanceof HungUp)) return undefined
  const { since, until } = notes.asking(notes.answeredBy)
  if (since === undefined || gone.at < since || (until !== undefined && until < gone.at)) return undefined
  return { afterMs: gone.at - since, isRead: operation?.mapping.effect === 'read' }
}
