import type { TokenOwner } from '../../../data-plane/gateway/login/known-tokens.ts'
import type { Engine } from '../../store/engine.ts'
import { addDocuments, documentsAfter, type Kind } from '../../store/ledger.ts'
import type { Kept } from '../../store/retention.ts'
import { query } from '../../store/sql.ts'

/** The logins stored since an earlier reading. */
export interface NewLogins {
  /** Oldest first. */
  readonly logins: readonly TokenOwner[]
  /** Where the next reading begins. */
  readonly next: number
}

/**
 * Stores which client each token belongs to, for other replicas and for the time after a restart. Its functions reject with a StateError while
 * the store cannot be used.
 */
export interface LoginStore {
  /** Stores logins, at most `MOST_AT_ONCE`, each hash once. Storing the same again changes nothing. */
  add(logins: readonly TokenOwner[]): Promise<void>
  /** Returns the logins that were stored after an earlier reading. @param after 0: from the beginning. */
  read(after: number): Promise<NewLogins>
}

/** The most logins in one transaction. */
export const MOST_AT_ONCE = 100
/** The most logins of all clients; the newest stay. */
export const MOST_LOGINS = 20_000
/** Logins beyond the bound are deleted each time that so many transactions have added some. */
const TRIM_EVERY = 20

/** The client of a token, by the token's hash. */
export const LOGIN: Kind<string> = {
  name: 'login',
  add: (_, newer) => newer,
  parse(json) {
    if (typeof json === 'string') return json
    throw new Error('it is not a client')
  },
  // One that logs in for each call must not push out the others.
  most: 1_000,
}

/** The contract does not say how long a token lives (docs/contract.md 13.4). As long as the page Clients lists a client that has stopped. */
export const KEPT_LOGINS: Kept = {
  ...{ table: 'ledger', key: 'kind, key', column: 'at', days: 90, where: "kind = 'login'" },
}

export const loginDelta = ({ hash, client }: TokenOwner) => ({ key: hash, part: client, doc: client })

/** Opens the logins on a database. */
export function loginDb(engine: Pick<Engine, 'transaction' | 'statement'>): LoginStore {
  return {
    add: (logins) =>
      engine.transaction(function* (now) {
        const [written] = yield* addDocuments(LOGIN, logins.map(loginDelta), now)
        if (written !== undefined && written.number % TRIM_EVERY === 0) yield* query(DELETE_BEYOND)
      }),
    async read(after) {
      // Mostly nothing is new, and this costs the database least.
      const [head] = await engine.statement("SELECT number FROM $schema.ledger_head WHERE kind = 'login'")
      const newest = Number(head?.number ?? 0)
      if (newest === after) return { logins: [], next: after }
      // If it is smaller, the database was restored. Then all logins are read again.
      const stored = await engine.transaction(() => documentsAfter(LOGIN, newest < after ? 0 : after), 'read')
      return {
        logins: stored.map(({ key, doc }) => ({ hash: key, client: doc })),
        next: stored.at(-1)?.number ?? newest,
      }
    },
  }
}

/** Leaves room for those that are written until it runs again. */
const DELETE_BEYOND = `
  DELETE FROM ledger WHERE kind = 'login' AND number <= (
    SELECT number FROM ledger WHERE kind = 'login' ORDER BY number DESC
    LIMIT 1 OFFSET ${MOST_LOGINS - TRIM_EVERY * MOST_AT_ONCE})`
