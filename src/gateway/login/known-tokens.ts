import { LRUCache } from 'lru-cache'
import { countedName } from './client-names.ts'
import { hashOf } from './client-of.ts'
import { tokenIn } from './credentials.ts'

/** A token that a service issued through this gateway, or has accepted. */
export interface KnownToken {
  /** The client that logged in for it; undefined: this process did not see the login. */
  readonly clientId: string | undefined
  /** The name that its calls count under: the client, or else the hash of the header. */
  readonly name: string
}

/** What this process knows about the services' own tokens. It holds hashes and names, and headers while they are in use. */
export interface KnownTokens {
  /** Notes that a login through this gateway gave the client this token. */
  issued(token: string, clientId: string): void
  /** Notes that a service has accepted the token in an `Authorization` header. */
  accepted(authorization: string): KnownToken
  /** Returns what is known of the token in an `Authorization` header; undefined: no service has issued or accepted it. */
  get(authorization: string): KnownToken | undefined
}

/** The most tokens that are remembered. */
const MOST_TOKENS = 20_000
/** Clients with longer names are known by the hashes of their tokens. */
const LONGEST_NAME = 200
/** The most characters of headers that are remembered: some thousands of headers, which calls look up without a hash. */
const HEADERS = 4_000_000
/** What a remembered header takes besides its text, in characters. */
const AROUND_HEADER = 100

type Record = { -readonly [Name in keyof KnownToken]: KnownToken[Name] }

/** Remembers tokens in bounded memory, and forgets the least recently used first. */
export function knownTokens(): KnownTokens {
  /** By the hash of `Bearer <token>`, however the client writes it. */
  const byHash = new LRUCache<string, Record>({ max: MOST_TOKENS })
  const byHeader = new LRUCache<string, Record>({
    maxSize: HEADERS,
    sizeCalculation: (_, header) => header.length + AROUND_HEADER,
  })
  const find = (authorization: string): Record | undefined => {
    const remembered = byHeader.get(authorization)
    if (remembered !== undefined) return remembered
    const found = byHash.get(canonical(authorization))
    if (found !== undefined) byHeader.set(authorization, found)
    return found
  }
  return {
    issued(token, clientId) {
      if (clientId.length > LONGEST_NAME) return
      const [hash, name] = [hashOf(`Bearer ${token}`), countedName(clientId)]
      const found = byHash.get(hash)
      // If the service issued the same token again, a header may already point to its record, so the record is changed in place.
      if (found === undefined) byHash.set(hash, { clientId, name })
      else Object.assign(found, { clientId, name })
    },
    accepted(authorization) {
      const found = find(authorization)
      if (found !== undefined) return found
      const record = { clientId: undefined, name: hashOf(authorization) }
      byHash.set(canonical(authorization), record)
      byHeader.set(authorization, record)
      return record
    },
    get: find,
  }
}

/** Returns the hash of a header. All ways to write the same token have the same hash. */
function canonical(authorization: string): string {
  const token = tokenIn(authorization)
  return hashOf(token === undefined ? authorization : `Bearer ${token}`)
}
