/** Where a kept exchange comes from, and what for. */
export interface KeptPlace {
  /** Its line in `recording.ndjson`, from 1. */
  readonly kept: number
  readonly file: string
  /** The line in that file, or the number of the HAR entry or Postman request, from 1. */
  readonly line: number
  readonly operation: string
  /** Null: it has no answer. */
  readonly status: number | null
  /** The golden case, from the directory; null: it has none. */
  readonly case: string | null
  /** How many elements it covers. */
  readonly covers: number
  /** What no other kept exchange covers: how many elements, and the first of them. */
  readonly alone: { readonly count: number; readonly first: readonly string[] }
}

/** What of one operation was read, and what is kept. */
export interface DistilledCounts {
  readonly operation: string
  readonly read: number
  readonly kept: number
  readonly elements: number
  readonly covered: number
}

/** A line that could not be read. */
export interface Unreadable {
  readonly file: string
  readonly line: number
  readonly problem: string
}

/** The content of `distil.json` (docs/clients.md). */
export interface DistilReport {
  readonly distil: 1
  readonly gateway: string
  readonly read: number
  readonly kept: number
  readonly elements: number
  readonly covered: number
  readonly bytes: { readonly read: number; readonly kept: number }
  /** `--max` and `--operation`; null and empty: not given. */
  readonly max: number | null
  readonly only: readonly string[]
  /** Exchanges of other operations than `only`. */
  readonly leftOut: number
  /** How many of those read were redacted here, because no gateway recorded them. */
  readonly redacted: number
  /** Operations with more members than are told apart. */
  readonly tooManyMembers: readonly string[]
  readonly unreadable: { readonly count: number; readonly first: readonly Unreadable[] }
  readonly operations: readonly DistilledCounts[]
  readonly exchanges: readonly KeptPlace[]
}
