/** The places in an entry of the parts of its answer that are kept. */
export const ANSWER = {
  status: 'response.status',
  text: 'response.content.text',
  encoding: 'response.content.encoding',
  /** Why there was none, as Chrome and mitmproxy write it. */
  error: 'response._error',
}

/** The place of the time at which an entry's request was sent. */
export const STARTED = 'log.entries.[].startedDateTime'

/** A header, a parameter of the query, or a part of a form. */
export interface Named {
  name: string
  value: string
  /** Whether it stands for a file. */
  isFile: boolean
}

/** The lists of an entry's request that are kept, by their places. */
export const LISTS = { 'headers.[]': 'headers', 'queryString.[]': 'query', 'postData.params.[]': 'params' } as const

/** The parts of a HAR entry read so far. */
export interface HarEntry {
  /** Texts by their path within `request`, `STARTED`, and those of `ANSWER`; numbers in their source form. */
  readonly texts: Map<string, string>
  readonly headers: Named[]
  /** The parameters in `queryString`. */
  readonly query: Named[]
  /** The parts of a form, in `postData.params`. */
  readonly params: Named[]
  problem: string | undefined
}
