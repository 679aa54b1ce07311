import { skipValue } from '../../engine/json/json-scan.ts'
import { startOfText, walkObject } from '../../engine/json/json-walk.ts'
import { OTHERS, UNIDENTIFIED } from '../../observe/traffic.ts'

/** What precedes a client id that would read like another name. */
const MARK = 'id:'
/** As `hashOf` writes hashes. */
const HASH = /^[\w-]{22}$/

/**
 * Returns what a client counts under: its id. An id that reads like the hash of a token, or like the name of a group, gets a mark before
 * it, and so does one that begins with the mark: no client id can be chosen so that its calls count with those of others.
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
 * Returns the client id that a login's body names, a root member that is a non-empty string; undefined if there is none, or if the
 * member could be found twice: parsers differ in which of two they take, and in whether case matters, so that nobody could tell whom
 * the service has let in. What is not a JSON object names nobody.
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

/** Returns a name as parsers compare names that disregard case, those with Turkish rules too. */
const folded = (name: string): string => name.replaceAll('İ', 'I').toLowerCase().toUpperCase()
