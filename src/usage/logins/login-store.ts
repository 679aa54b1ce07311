/** Which client a service's own token belongs to. */
export interface KnownLogin {
  /** The token's hash; the token itself is never stored. */
  readonly hash: string
  /** The client id that logged in for it. */
  readonly client: string
}

/** The logins stored after another page. */
export interface LoginPage {
  readonly logins: readonly KnownLogin[]
  /** Where the next page begins. */
  readonly next: number
  /** Whether there is nothing after it now. */
  readonly isLast: boolean
}

/**
 * Stores which client each token belongs to, for other replicas and for the time after a restart. One implementation over SQL, on SQLite and on
 * PostgreSQL. Its functions reject with a StateError while the store cannot be used.
 */
export interface LoginStore {
  /** Stores logins, at most `MOST_AT_ONCE`, each hash once. Storing the same again changes nothing. */
  add(logins: readonly KnownLogin[]): Promise<void>
  /** Returns the logins stored after a page, oldest first. @param after 0: from the beginning. */
  read(after: number): Promise<LoginPage>
  /** Deletes logins that are older than `KEPT_DAYS` by both `now` and the store's clock. */
  forget(now: Date): Promise<void>
}

/** The most logins in one transaction. */
export const MOST_AT_ONCE = 100
/** The most logins of all clients; the newest stay. */
export const MOST_LOGINS = 20_000
/** The most logins of one client: one that logs in for each call must not push out the others. */
export const MOST_OF_CLIENT = 1_000
/** The contract does not say how long a token lives (docs/contract.md 13.4). As long as the page Clients lists a client that has stopped. */
export const KEPT_DAYS = 90

/** Calls a function of a `LoginStore`, as one function of the thread that has it. */
export type AskLogins = (name: keyof LoginStore, args: readonly unknown[]) => Promise<unknown>

/** Returns what answers in the thread that has the database. */
export function answerLogins(db: LoginStore): AskLogins {
  const byName = db as unknown as Readonly<Record<string, (...args: readonly unknown[]) => Promise<unknown>>>
  return async (name, args) => byName[name]?.(...args)
}

/** Returns a `LoginStore` that asks the thread. */
export function loginStore(ask: AskLogins): LoginStore {
  const asked =
    <Name extends keyof LoginStore>(name: Name) =>
    (...args: Parameters<LoginStore[Name]>) =>
      ask(name, args) as ReturnType<LoginStore[Name]>
  return { add: asked('add'), read: asked('read'), forget: asked('forget') }
}
