import type { Logger } from 'pino'
import type { TokenOwner } from '../../../data-plane/gateway/login/known-tokens.ts'
import { isClean } from '../../store/clean-text.ts'
import { attempts, Sender } from '../../store/sender.ts'
import { type LoginStore, MOST_AT_ONCE, MOST_LOGINS } from './login-store.ts'

/** Shares which client each token belongs to with other replicas, and with this one after a restart. */
export interface LoginKeeper {
  /** Notes which client a token belongs to. The next `keep` stores it. */
  note(login: TokenOwner): void
  /** Stores what was noted, and learns what others stored. Never rejects. */
  keep(): Promise<void>
  /** Stores what is left, within `graceMs`. */
  close(graceMs: number): Promise<void>
}

export interface LoginKeeperOptions {
  readonly store: Pick<LoginStore, 'add' | 'read'>
  /** Called with each stored login, those of this process included. */
  readonly learn: (login: TokenOwner) => void
  readonly log: Pick<Logger, 'error'>
}

/** Keeps logins. They wait in memory until they are stored. */
export function keepLogins({ store, learn, log }: LoginKeeperOptions): LoginKeeper {
  /** By hash, oldest first. */
  const waiting = new Map<string, TokenOwner>()
  let after = 0
  // Storing the same logins again changes nothing, so their portions need no numbers.
  const sender = new Sender((logins: readonly TokenOwner[]) => store.add(logins))
  const next = (): readonly TokenOwner[] | undefined => {
    const logins = [...waiting.values()].slice(0, MOST_AT_ONCE)
    for (const { hash } of logins) waiting.delete(hash)
    return logins.length === 0 ? undefined : logins
  }
  const exchange = async (): Promise<void> => {
    await sender.send(next)
    const stored = await store.read(after)
    // What this process noted since is newer.
    for (const login of stored.logins) if (!waiting.has(login.hash)) learn(login)
    after = stored.next
  }
  const storing = attempts(exchange, log, 'the clients of tokens could not be stored or read')
  return {
    note(login) {
      // Changed to what every database takes, it could be the id of another client.
      if (!isClean(login.client)) return
      waiting.delete(login.hash)
      waiting.set(login.hash, login)
      const [oldest] = waiting.keys()
      if (waiting.size > MOST_LOGINS && oldest !== undefined) waiting.delete(oldest)
    },
    keep: () => storing.now(),
    close: (graceMs) => storing.close(() => sender.pending === undefined && waiting.size === 0, graceMs),
  }
}
