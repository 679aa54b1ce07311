import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { skipValue, startOfText, walkObject } from '../../../engine/json/walk-json.ts'
import { OTHERS, UNIDENTIFIED } from '../../../observe/traffic.ts'
import type { LegacyRequest } from '../request-head.ts'
import type { Credentials } from './credentials.ts'

/** The prefix of a client id that would read like another name. */
const MARK = 'id:'
/** The form of a hash that `hashOf` returns. */
const HASH = /^[\w-]{22}$/

/**
 * Returns the name that a client counts under: its id. An id gets a prefix if it reads like the hash of a token or the name of a
 * group, or if it begins with the prefix itself. So no client can choose an id whose calls count with those of others.
 */
export function countedName(clientId: string): string {
  const isTaken =
    clientId === OTHERS ||
    clientId === UNIDENTIFIED ||
    clientId.startsWith(MARK) ||
    (clientId.length === 22 && HASH.test(clientId))
  return isTaken ? MARK + clientId : clientId
}

/**
 * Returns the client id in a login's body: a root member that is a non-empty string. Returns undefined if there is none, if the
 * body is not a JSON object, or if a parser could find the member twice. Parsers differ in which of two members they take, and in
 * whether case matters. So with two, it is unclear whom the service has let in.
 */
export function clientIdIn(body: Uint8Array, member: string): string | undefined {
  const values: unknown[] = []
  try {
    walkObject(body, startOfText(body), (name, at) => {
      const end = skipValue(body, at)
      if (folded(name) === folded(member)) values.push(name === member ? parsed(body.subarray(at, end)) : undefined)
      return end
    })
  } catch {
    return undefined
  }
  const [value] = values
  return values.length === 1 && typeof value === 'string' && value !== '' ? value : undefined
}

const parsed = (json: Uint8Array): unknown => JSON.parse(new TextDecoder().decode(json))

/** Returns a name in the form in which case-insensitive parsers compare it, including those with Turkish rules. */
const folded = (name: string): string => name.replaceAll('İ', 'I').toLowerCase().toUpperCase()

/**
 * Returns the client that makes a call, from what is known before any service is asked: the client id in our token, otherwise the
 * hash of the `Authorization` header, otherwise the peer's address. It decides only which side answers; `countedClients` says which
 * client a call counts under.
 */
export function clientOf({ credentials, request }: Who): string {
  if (credentials.client !== undefined) return credentials.client
  const { authorization } = request.headers
  return authorization === undefined ? request.peer : hashOf(authorization)
}

/** Returns what tells callers apart before any service is asked. It may be a token in plain text, so it must not be stored. */
export const callerKey = ({ credentials, request }: Who): string =>
  credentials.client ?? request.headers.authorization ?? ''

/** Returns the hash that stands for an `Authorization` header: of a token without a client id, and in the keys of cached lists. 132 bits. */
export const hashOf = (authorization: string): string => hashes.memo(authorization)

/** Clients send the same header with every call. The hashes of some thousands are remembered, 4 MB at most. */
const hashes = new LRUCache<string, string, void>({
  maxSize: 4_000_000,
  sizeCalculation: (hashed, header) => header.length + hashed.length,
  memoMethod: (header) => hash('sha256', header, 'base64url').slice(0, 22),
})

/** The parts of a call that tell its client before any service is asked. */
interface Who {
  readonly request: LegacyRequest
  readonly credentials: Credentials
}
