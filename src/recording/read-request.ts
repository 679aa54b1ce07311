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
  /** The status of the recorded answer, if the file has it and everything is read. */
  readonly status?: number
  /** The line as in the file, without the line feed, if the file has lines and everything is read. */
  readonly source?: Uint8Array
}

/** Which parts of a recording are read. */
export interface ReadOptions {
  /** Reads everything, including what is only needed to write a recording again: statuses, lines, the answers of a HAR. */
  readonly everything?: boolean
  /** Reads only these places of the file; unset: all. Other places are not parsed if the format allows it. */
  readonly only?: ReadonlySet<number>
}

/** A line or entry that cannot be used. The problem quotes nothing from it, except names in a Postman collection. */
export interface BadEntry {
  readonly line: number
  readonly problem: string
}

export type KeptHeader = 'accept-language' | 'content-type'

/** A request as found in a file. */
export interface FoundRequest {
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

/** Keeps the parts of a request that are replayed, or says why it cannot be replayed. Drops host, cookies and credentials. */
export function recordedExchange(line: number, found: FoundRequest): RecordedExchange | BadEntry {
  if (!METHOD.test(found.method)) return { line, problem: 'invalid HTTP method' }
  if (!TARGET.test(found.path)) return { line, problem: 'the path cannot be sent as written' }
  const headers: Partial<Record<KeptHeader, string>> = {}
  for (const [name, value] of found.headers) {
    const kept = name.toLowerCase()
    if (!isKept(kept)) continue
    if (typeof value !== 'string' || !HEADER_VALUE.test(value)) {
      return { line, problem: `the header ${kept} cannot be sent as written` }
    }
    headers[kept] = value
  }
  const { method, path, body } = found
  return { line, ...callOf(found), method, path, headers, ...(body === undefined ? {} : { body }) }
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

export const isKept = (name: string): name is KeptHeader => name === 'accept-language' || name === 'content-type'
