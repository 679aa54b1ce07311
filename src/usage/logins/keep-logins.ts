import type { Logger } from 'pino'
import { isClean } from '../../state/clean-text.ts'
import { StateError } from '../../state/state-error.ts'
import { storeRest } from '../keep-usage.ts'
import { type KnownLogin, type LoginStore, MOST_AT_ONCE, MOST_LOGINS } from './login-store.ts'

/** Shares which client each token belongs to with other replicas, and with this one after a restart. */
export interface LoginKeeper {
  /** Notes which client a token belongs to. The next `keep` stores it. */
  note(login: KnownLogin): void
  /** Stores what was noted, and learns what others stored. Never rejects. */
  keep(): Promise<void>
  /** Stores what is left, within `graceMs`. */
  close(graceMs: number): Promise<void>
}

export interface LoginKeeperOptions {
  readonly store: Pick<LoginStore, 'add' | 'read'>
  /** Called with each stored login, those of this process included. */
  readonly learn: (login: KnownLogin) => void
  readonly log: Pick<Logger, 'error'>
}

/** Keeps logins. They wait in memory until they are stored. */
export function keepLogins({ store, learn, log }: LoginKeeperOptions): LoginKeeper {
  /** By hash, oldest first. */
  const waiting = new Map<string, KnownLogin>()
  let after = 0
  let hasFailed = false
  let keeping: Promise<void> | undefined

  const send = async (): Promise<void> => {
    while (waiting.size > 0) {
      const sent = [...waiting.values()].slice(0, MOST_AT_ONCE)
      await store.add(sent)
      for (const login of sent) if (waiting.get(login.hash) === login) waiting.delete(login.hash)
    }
  }
  const read = async (): Promise<void> => {
    const { logins, next } = await store.read(after)
    // What this process noted since is newer.
    for (const login of logins) if (!waiting.has(login.hash)) learn(login)
    after = next
  }
  const exchange = async (): Promise<void> => {
    try {
      await send()
      await read()
      hasFailed = false
    } catch (error) {
      // Storing results reports that the store is unavailable.
      if (!(hasFailed || error instanceof StateError)) {
        log.error({ err: error }, 'the clients of tokens could not be stored or read')
      }
      hasFailed = true
    }
  }
  const keep = (): Promise<void> => {
    keeping ??= exchange().finally(() => {
      keeping = undefined
    })
    return keeping
  }
  return {
    note(login) {
      // Changed to what every database takes, it could be the id of another client.
      if (!isClean(login.client)) return
      waiting.delete(login.hash)
      waiting.set(login.hash, login)
      const [oldest] = waiting.keys()
      if (waiting.size > MOST_LOGINS && oldest !== undefined) waiting.delete(oldest)
    },
    keep,
    close: (graceMs) => storeRest(keep, () => waiting.size === 0, graceMs),
  }
}
