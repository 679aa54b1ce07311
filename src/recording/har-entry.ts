/** The places in an entry of the parts of its answer that are kept. */
export const ANSWER = {
  status: 'response.status',
  text: 'response.content.text',
  encoding: 'response.content.encoding',
}

/** The place of the time at which an entry's request was sent. */
export const STARTED = 'log.entries.[].startedDateTime'

/** The parts of a HAR entry read so far. */
export interface HarEntry {
  /** Texts by their path within `request`, `STARTED`, and those of `ANSWER`; numbers in their source form. */
  readonly texts: Map<string, string>
  readonly headers: { name: string; value: string }[]
  hasParameters: boolean
  problem: string | undefined
}
