/** Where an entry says when its request was sent. */
export const STARTED = 'log.entries.[].startedDateTime'

/** The parts of a HAR entry read so far. */
export interface HarEntry {
  /** Texts by their path within `request`, and `STARTED`; numbers in their source form. */
  readonly texts: Map<string, string>
  readonly headers: { name: string; value: string }[]
  hasParameters: boolean
  problem: string | undefined
}
