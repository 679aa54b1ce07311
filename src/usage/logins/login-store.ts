/** Whose a service's own token is. */
export interface KnownLogin {
  /** Stands for the token, which is never stored. */
  readonly hash: string
  /** The client id that logged in for it. */
  readonly client: string
}

/** What was stored after another page. */
export interface LoginPage {
  readonly logins: readonly KnownLogin[]
  /** Where the next page begins. */
  readonly next: number
  /** Whether there is nothing after it now. */
  readonly isLast: boolean
}

/**
 * Stores whose tokens are, for other replicas and for the time after a restart. One implementation over SQL, on SQLite and on
 * PostgreSQL. Its functions reject with a StateError while the store cannot be used.
 */
export interface LoginStore {
  /** Stores logins, at most `MOST_AT_ONCE`, each hash once. Given again, they are stored as the same. */
  add(logins: readonly KnownLogin[]): Promise<void>
  /** Returns what was stored after a page, oldest first. @param after 0: from the beginning. */
  read(after: number): Promise<LoginPage>
  /** Deletes what is older than `KEPT_DAYS`, by the store's clock too. */
  forget(now: Date): Promise<void>
}

/** What is stored in one transaction. */
export const MOST_AT_ONCE = 100
/** Of all clients; the newest stay. */
export const MOST_LOGINS = 20_000
/** Of one client: one that logs in for each call must not push out the others. */
export const MOST_OF_CLIENT = 1_000
/** The contract does not say how long a token lives (docs/contract.md 13.4). So long a client counts as one that calls, or has stopped. */
export const KEPT_DAYS = 90
