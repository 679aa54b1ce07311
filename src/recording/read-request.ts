/** A request as it was recorded, ready to be sent again. */
export interface RecordedExchange {
  /** Its line in the file (which entry of a HAR, which request of a Postman collection it is), from 1. */
  readonly line: number
  readonly method: string
  /** With its query, as it was written. */
  readonly path: string
  readonly headers: Readonly<Partial<Record<KeptHeader, string>>>
  /** With the digits that were recorded. */
  readonly body?: Uint8Array
}

/** A line or entry that cannot be used; the problem quotes nothing of it but names that a Postman collection gives. */
export interface BadEntry {
  readonly line: number
  readonly problem: string
}

export type KeptHeader = 'accept-language' | 'content-type'

/** A request as a file has it. */
export interface FoundRequest {
  readonly method: string
  readonly path: string
  readonly headers: Iterable<readonly [name: string, value: unknown]>
  readonly body: Uint8Array | undefined
}

/** RFC 9110 section 9.1. */
const METHOD = /^[\w!#$%&'*+.^`|~-]+$/
/** What a client can write in a request line: no space, no control character, nothing beyond one byte. */
const TARGET = /^\/[\x21-\x7e\x80-\xff]*$/
/** RFC 9110 section 5.5. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

/** Takes of a request what is replayed, or says why it cannot be. Host, cookies and credentials are left behind. */
export function recordedExchange(line: number, found: FoundRequest): RecordedExchange | BadEntry {
  if (!METHOD.test(found.method)) return { line, problem: 'the method is none' }
  if (!TARGET.test(found.path)) return { line, problem: 'the path cannot be sent as it is written' }
  const headers: Partial<Record<KeptHeader, string>> = {}
  for (const [name, value] of found.headers) {
    const kept = name.toLowerCase()
    if (!isKept(kept)) continue
    if (typeof value !== 'string' || !HEADER_VALUE.test(value)) {
      return { line, problem: `the header ${kept} cannot be sent as it is written` }
    }
    headers[kept] = value
  }
  const { method, path, body } = found
  return { line, method, path, headers, ...(body === undefined ? {} : { body }) }
}

export const isKept = (name: string): name is KeptHeader => name === 'accept-language' || name === 'content-type'
