/** The parts of a HAR entry read so far. */
export interface HarEntry {
  /** Texts by their path within `request`; numbers in their source form. */
  readonly texts: Map<string, string>
  readonly headers: { name: string; value: string }[]
  hasParameters: boolean
  problem: string | undefined
}
