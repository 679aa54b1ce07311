import { LRUCache } from 'lru-cache'
import { countedName } from './client-names.ts'
import { hashOf } from './client-of.ts'
import { tokenIn } from './credentials.ts'
import { tokensOfClients } from './tokens-of-clients.ts'

/** A token that a service issued through this gateway, or has accepted. */
export interface KnownToken {
  /** The client that logged in for it; undefined: no login is known. */
  readonly clientId: string | undefined
  /** What its calls count under: the client, else the hash of the header. */
  readonly name: string
}

/** Whose a token is. */
export interface TokenOwner {
  /** Of `Bearer <token>`. */
  readonly hash: string
  /** The client id that logged in for it. */
  readonly client: string
}

/** What this process knows of tokens that are not ours. It holds hashes and names, and headers while they are in use. */
export interface KnownTokens {
  /** A login through this gateway gave the client this token. */
  issued(token: string, clientId: string): void
  /** A service has accepted the token in an `Authorization` header. */
  accepted(authorization: string): KnownToken
  /** Returns what is known of the token in an `Authorization` header; undefined: no service has issued or accepted it. */
  get(authorization: string): KnownToken | undefined
  /** Takes over what another process, or this one before a restart, knew. */
  learn(owner: TokenOwner): void
  /** Calls back for each token that a login got, and once an hour for one that a service still accepts. */
  onOwner(listener: (owner: TokenOwner) => void): void
}

/** Tokens that are remembered, those used last. */
const MOST_TOKENS = 20_000
/** Of those whose logins are known, so many of one client. */
const MOST_OF_CLIENT = 1_000
/** Clients with longer names are known by the hashes of their tokens. */
const LONGEST_NAME = 200
/** How much of the headers is remembered, so that a call looks up its own without a hash: some thousands; characters. */
const HEADERS = 4_000_000
/** What a remembered header takes beside its text. */
const AROUND_HEADER = 100
/** A token that a service accepts is told again so long after it was told. */
const TOLD_AGAIN_MS = 3_600_000

type Record = { -readonly [Name in keyof KnownToken]: KnownToken[Name] } & {
  /** When its owner was last told or learnt; ms. */
  toldAt: number
}

/**
 * Remembers tokens in bounded memory: those that were used least recently are forgotten.
 * @param now in milliseconds; monotonic.
 */
export function knownTokens(now: () => number = () => performance.now()): KnownTokens {
  /** By the hash of `Bearer <token>`, however a client writes that. */
  const byHash = new LRUCache<string, Record>({
    max: MOST_TOKENS,
    dispose({ clientId }, hash) {
      if (clientId !== undefined) owners.remove(clientId, hash)
    },
  })
  const owners = tokensOfClients(MOST_OF_CLIENT, (hash) => byHash.delete(hash))
  const byHeader = new LRUCache<string, Record>({
    maxSize: HEADERS,
    sizeCalculation: (_, header) => header.length + AROUND_HEADER,
  })
  let tell: (owner: TokenOwner) => void = () => undefined
  const find = (authorization: string): Record | undefined => {
    const remembered = byHeader.get(authorization)
    if (remembered !== undefined) return remembered
    const found = byHash.get(canonical(authorization))
    if (found !== undefined) byHeader.set(authorization, found)
    return found
  }
  /** Returns whether the client is one to remember. */
  const own = ({ hash, client }: TokenOwner): boolean => {
    if (client.length > LONGEST_NAME) return false
    const found = byHash.get(hash)
    const known = { clientId: client, name: countedName(client), toldAt: now() }
    if (found === undefined) byHash.set(hash, known)
    else {
      if (found.clientId !== undefined && found.clientId !== client) owners.remove(found.clientId, hash)
      // Changed in place, since a header may lead to it already: the service has issued the same token again.
      Object.assign(found, known)
    }
    owners.add(client, hash)
    return true
  }
  /** Tells the owner again, so that the token is not forgotten elsewhere while it is in use. */
  const tellAgain = (record: Record, authorization: string): void => {
    const { clientId: client } = record
    if (client === undefined || now() - record.toldAt < TOLD_AGAIN_MS) return
    record.toldAt = now()
    tell({ hash: canonical(authorization), client })
  }
  return {
    issued(token, client) {
      const owner = { hash: hashOf(`Bearer ${token}`), client }
      if (own(owner)) tell(owner)
    },
    accepted(authorization) {
      const found = find(authorization)
      if (found !== undefined) {
        tellAgain(found, authorization)
        return found
      }
      const record = { clientId: undefined, name: hashOf(authorization), toldAt: 0 }
      byHash.set(canonical(authorization), record)
      byHeader.set(authorization, record)
      return record
    },
    get: find,
    learn: own,
    onOwner(listener) {
      tell = listener
    },
  }
}

/** Returns the hash of a header, the same for each way in which its token can be written. */
function canonical(authorization: string): string {
  const token = tokenIn(authorization)
  return hashOf(token === undefined ? authorization : `Bearer ${token}`)
}
