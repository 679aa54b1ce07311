import { reasonOf } from '../common/reason-of.ts'
import type { Side } from '../exchange/exchange.ts'

/** A recorded request, ready to be sent again. */
export interface RecordedExchange {
  /** The line in the file, or the number of the HAR entry or Postman request, from 1. */
  readonly line: number
  /** When the call was made; undefined: the file does not say. */
  readonly at?: Date
  /** The pseudonym of the client that made it; undefined: the file does not say. */
  readonly client?: string
  readonly method: string
  /** The path with the query, as recorded. */
  readonly path: string
  readonly headers: Readonly<Partial<Record<KeptHeader, string>>>
  /** The recorded bytes, with all digits. */
  readonly body?: Uint8Array
  /** The body of the recorded answer, if the file has it; from a HAR, only if everything is read. */
  readonly answer?: Uint8Array
  /** The status of the recorded answer, if the file has it. */
  readonly status?: number
  /**
   * The fingerprint of the key under which personal values were replaced; null: they were, and the file does not name the key. Unset:
   * the file has the values themselves, or not everything is read.
   */
  readonly key?: string | null
  /** The side that gave the recorded answer; unset: the file does not say, or not everything is read. */
  readonly answeredBy?: Side
  /** The line as in the file, without the line feed, if the file has lines and everything is read. */
  readonly source?: Uint8Array
}

/** The parts of a recording to read. */
export interface ReadOptions {
  /** Reads everything, including what only replaying does not need: lines, the answers of a HAR, and who gave them. */
  readonly everything?: boolean
  /** Reads only these places of the file; unset: all. Other places are not parsed if the format allows it. */
  readonly only?: ReadonlySet<number>
}

/** A line or entry that cannot be used. The problem quotes nothing from it, except names in a Postman collection. */
export interface BadEntry {
  readonly line: number
  readonly problem: string
  /** The call that it is, if it says so much. It cannot be replayed as it was, so it is not judged. */
  readonly call?: UnplayableCall
}

export interface UnplayableCall {
  readonly method: string
  /** The path; its query may be missing. */
  readonly path: string
  /** Why it cannot be replayed, without anything from the file: one of a few texts, under which reports count it. */
  readonly why: string
}

type KeptHeader = 'accept-language' | 'content-type'

/** A request as found in a file. */
interface FoundRequest {
  /** ISO 8601; anything else is ignored. */
  readonly at?: unknown
  readonly client?: unknown
  readonly method: string
  readonly path: string
  readonly headers: Iterable<readonly [name: string, value: unknown]>
  readonly body: Uint8Array | undefined
}

/** RFC 9110 section 9.1. */
const METHOD = /^[\w!#$%&'*+.^`|~-]+$/
/** Matches a path of the characters allowed in a request line: no space, no control character, nothing beyond one byte. */
const TARGET = /^\/[\x21-\x7e\x80-\xff]*$/
/** RFC 9110 section 5.5. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

/**
 * Keeps the parts of a request that are replayed, or says why it cannot be replayed as it was. Drops host, cookies and
 * credentials.
 */
export function recordedExchange(line: number, found: FoundRequest): RecordedExchange | BadEntry {
  const { method, path, body } = found
  if (!METHOD.test(method)) return { line, problem: 'invalid HTTP method' }
  if (!TARGET.test(path)) return unplayable(line, found, 'the path cannot be sent as written')
  const headers: Partial<Record<KeptHeader, string>> = {}
  for (const [name, value] of found.headers) {
    const header = name.toLowerCase()
    if (CHANGING.has(header) || (header === 'content-encoding' && body !== undefined && value !== 'identity')) {
      return unplayable(line, found, `its header ${header} is not replayed, and changes what the call does`)
    }
    if (!isKept(header)) continue
    if (typeof value !== 'string' || !HEADER_VALUE.test(value)) {
      return unplayable(line, found, `the header ${header} cannot be sent as written`)
    }
    headers[header] = value
  }
  if (holdsLostLetter(Buffer.from(path)) || (body !== undefined && holdsLostLetter(body))) {
    return unplayable(line, found, LOST)
  }
  return { line, ...callOf(found), method, path, headers, ...(body === undefined ? {} : { body }) }
}

/** Returns a call that cannot be replayed as it was. @param problem what to tell people; unset: `why`. */
export function unplayable(
  line: number,
  { method, path }: Pick<FoundRequest, 'method' | 'path'>,
  why: string,
  problem = why,
): BadEntry {
  return { line, problem, call: { method, path: path.split('?')[0] ?? '', why } }
}

/** Headers by which a call has another method than its own. They are not replayed, so neither is the call. */
const CHANGING: ReadonlySet<string> = new Set(['x-http-method', 'x-http-method-override', 'x-method-override'])

/**
 * U+FFFD, which stands where a letter was lost because a text was read in another encoding than its own; also as an escape of URLs
 * and of JSON. Both sides would get the same wrong letter, and agree.
 */
const LOST_LETTERS = ['\ufffd', '%EF%BF%BD', '%ef%bf%bd', '\\ufffd', '\\uFFFD'].map((text) => Buffer.from(text))
const LOST = 'it holds U+FFFD, in place of a letter that was lost: the file, or the text before it, was not UTF-8'

const holdsLostLetter = (text: Uint8Array): boolean => {
  const bytes = Buffer.from(text.buffer, text.byteOffset, text.byteLength)
  return LOST_LETTERS.some((letter) => bytes.includes(letter))
}

/** ISO 8601 with a time and a zone. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/

/** Reads who made the call and when, if the file says so. */
function callOf({ at, client }: FoundRequest): Pick<RecordedExchange, 'at' | 'client'> {
  const time = typeof at === 'string' && TIME.test(at) ? new Date(at) : undefined
  return {
    ...(time !== undefined && !Number.isNaN(time.getTime()) && { at: time }),
    ...(typeof client === 'string' && { client }),
  }
}

/** What a file says about a recorded answer, in any form that `distil` and the gateway write. */
export function aboutAnswer(key: unknown, answeredBy: unknown): Pick<RecordedExchange, 'key' | 'answeredBy'> {
  return {
    key: typeof key === 'string' ? key : null,
    ...((answeredBy === 'v1' || answeredBy === 'legacy') && { answeredBy }),
  }
}

/** Whether a header decides how, or whether, a call is replayed. */
export const matters = (name: string): boolean => isKept(name) || CHANGING.has(name) || name === 'content-encoding'

export const isKept = (name: string): name is KeptHeader => name === 'accept-language' || name === 'content-type'

/** Thrown when a recording cannot be read or written at all; the message names the file and the reason. */
export class RecordingError extends Error {
  override readonly name = 'RecordingError'
}

/** Thrown when nothing in a file can be read as a recording; the message says what it looks like, and what can be read. */
export class WrongKindError extends RecordingError {}

export function toRecordingError(file: string, cause: unknown): RecordingError {
  return new RecordingError(`${file}: ${reasonOf(cause)}`, { cause })
}
