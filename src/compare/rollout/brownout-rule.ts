/** A time in which some calls are refused, so that the last clients notice that the interface will go. Defaults are filled in. */
export interface BrownoutRule {
  /** Ids of operations, or `*`. */
  readonly operations: readonly string[]
  /** ISO 8601 with an offset. The end is at most 24 hours after the beginning. */
  readonly from: string
  readonly to: string
  /** How much is refused, above 0 and up to 100. */
  readonly percent: number
  /** What the percentage is of: of all calls, or of clients, each of which is then refused always or never. */
  readonly of: 'calls' | 'clients'
  readonly status: 410 | 500 | 503
  /** Clients that are never refused, named as in `clients`. */
  readonly except: readonly string[]
  readonly why: string
}
