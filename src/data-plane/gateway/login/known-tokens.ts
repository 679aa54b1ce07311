import { LRUCache } from 'lru-cache'
import { HOUR_MS } from '../../../common/time.ts'
import { countedName, hashOf } from './client-names.ts'
import { tokenIn } from './credentials.ts'

/** A token that a service issued through this gateway, or has accepted. */
export interface KnownToken {
  /** The client that logged in for it; undefined: no login is known. */
  readonly clientId: string | undefined
  /** The name that its calls count under: the client, or else the hash of the header. */
  readonly name: string
}

/** The owner of a token. */
export interface TokenOwner {
  /** The hash of `Bearer <token>`. */
  readonly hash: string
  /** The client id that logged in for it. */
  readonly client: string
}

/** The services' own tokens that this process knows. It holds hashes and names, and headers while they are in use. */
export interface KnownTokens {
  /** Notes that a login through this gateway gave the client this token. */
  issued(token: string, clientId: string): void
  /** Notes that a service has accepted the token in an `Authorization` header. */
  accepted(authorization: string): KnownToken
  /** Returns what is known of the token in an `Authorization` header; undefined: no service has issued or accepted it. */
  get(authorization: string): KnownToken | undefined
  /** Takes over what another process knew, or this one before a restart. */
  learn(owner: TokenOwner): void
  /** Sets the listener. It is called for each token that a login got, and once an hour for one that a service still accepts. */
  onOwner(listener: (owner: TokenOwner) => void): void
}

/** The most tokens that are remembered. */
const MOST_TOKENS = 20_000
/** The most remembered tokens of one client whose logins are known. */
const MOST_OF_CLIENT = 1_000
/** Clients with longer names are known by the hashes of their tokens. */
const LONGEST_NAME = 200
/** The most characters of headers that are remembered: some thousands of headers, which calls look up without a hash. */
const HEADERS = 4_000_000
/** What a remembered header takes besides its text, in characters. */
const AROUND_HEADER = 100
/** How long after its last report the owner of an accepted token is reported again. */
const REPORT_AGAIN_MS = HOUR_MS

/** A token in memory. */
type RememberedToken = { -readonly [Name in keyof KnownToken]: KnownToken[Name] } & {
  /** When its owner was last reported or learnt; ms. */
  reportedAt: number
}

/**
 * Remembers tokens in bounded memory, and forgets the least recently used first.
 * @param now in milliseconds; monotonic.
 */
export function knownTokens(now: () => number = () => performance.now()): KnownTokens {
  /** By the hash of `Bearer <token>`, however the client writes it. */
  const byHash = new LRUCache<string, RememberedToken>({
    max: MOST_TOKENS,
    dispose({ clientId }, hash) {
      if (clientId !== undefined) disown(clientId, hash)
    },
  })
  /** The hashes of each client's tokens, the newest last. */
  const byClient = new Map<string, Set<string>>()
  const byHeader = new LRUCache<string, RememberedToken>({
    maxSize: HEADERS,
    sizeCalculation: (_, header) => header.length + AROUND_HEADER,
  })
  let report: (owner: TokenOwner) => void = () => undefined
  const find = (authorization: string): RememberedToken | undefined => {
    const remembered = byHeader.get(authorization)
    if (remembered !== undefined) return remembered
    const token = byHash.get(canonical(authorization))
    if (token !== undefined) byHeader.set(authorization, token)
    return token
  }
  const disown = (client: string, hash: string): void => {
    const hashes = byClient.get(client)
    if (hashes?.delete(hash) === true && hashes.size === 0) byClient.delete(client)
  }
  /** Returns whether the client is one to remember. */
  const learn = ({ hash, client }: TokenOwner): boolean => {
    if (client.length > LONGEST_NAME) return false
    const token = byHash.get(hash)
    const owned = { clientId: client, name: countedName(client), reportedAt: now() }
    if (token === undefined) byHash.set(hash, owned)
    else {
      if (token.clientId !== undefined && token.clientId !== client) disown(token.clientId, hash)
      // If the service issued the same token again, a header may already point to its record, so the record is changed in place.
      Object.assign(token, owned)
    }
    const hashes = byClient.get(client) ?? new Set()
    byClient.set(client, hashes)
    hashes.delete(hash)
    hashes.add(hash)
    // A client that logs in for each call must not push out the tokens of others.
    const [oldest] = hashes
    if (hashes.size > MOST_OF_CLIENT && oldest !== undefined) byHash.delete(oldest)
    return true
  }
  /** Reports the owner again, so that a token in use is not forgotten elsewhere. */
  const reportAgain = (record: RememberedToken, authorization: string): void => {
    const { clientId: client } = record
    if (client === undefined || now() - record.reportedAt < REPORT_AGAIN_MS) return
    record.reportedAt = now()
    report({ hash: canonical(authorization), client })
  }
  return {
    issued(token, client) {
      const owner = { hash: hashOf(`Bearer ${token}`), client }
      if (learn(owner)) report(owner)
    },
    accepted(authorization) {
      const token = find(authorization)
      if (token !== undefined) {
        reportAgain(token, authorization)
        return token
      }
      const record = { clientId: undefined, name: hashOf(authorization), reportedAt: 0 }
      byHash.set(canonical(authorization), record)
      byHeader.set(authorization, record)
      return record
    },
    get: find,
    learn,
    onOwner(listener) {
      report = listener
    },
  }
}

/** Returns the hash of a header. All ways to write the same token have the same hash. */
function canonical(authorization: string): string {
  // Nearly all clients write it in this way. Another text would have to be looked up anew.
  if (CANONICAL.test(authorization)) return hashOf(authorization)
  const token = tokenIn(authorization)
  return hashOf(token === undefined ? authorization : `Bearer ${token}`)
}

const CANONICAL = /^Bearer \S+$/
