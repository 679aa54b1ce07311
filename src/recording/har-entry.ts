/** What is kept of an entry's answer, by its place in the entry. */
export const ANSWER = {
  status: 'response.status',
  text: 'response.content.text',
  encoding: 'response.content.encoding',
}

/** Where an entry says when its request was sent. */
export const STARTED = 'log.entries.[].startedDateTime'

/** The parts of a HAR entry read so far. */
export interface HarEntry {
  /** Texts by their path within `request`, `STARTED`, and those of `ANSWER`; numbers in their source form. */
  readonly texts: Map<string, string>
  readonly headers: { name: string; value: string }[]
  hasParameters: boolean
  problem: string | undefined
}
