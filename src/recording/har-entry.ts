/** What has been read of an entry of a HAR. */
export interface HarEntry {
  /** By their path within `request`; numbers as they are written. */
  readonly texts: Map<string, string>
  readonly headers: { name: string; value: string }[]
  hasParameters: boolean
  problem: string | undefined
}
