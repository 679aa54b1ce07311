/** The origin of a kept exchange, and the reason to keep it. */
export interface KeptPlace {
  /** Its line in `recording.ndjson`, from 1. */
  readonly kept: number
  readonly file: string
  /** The line in that file, or the number of the HAR entry or Postman request, from 1. */
  readonly line: number
  readonly operation: string
  /** Null: the exchange has no recorded answer. */
  readonly status: number | null
  /** The path of the golden case within the directory; null: it has none. */
  readonly case: string | null
  /** How many elements it covers. */
  readonly covers: number
  /** The elements that no other kept exchange covers: how many, and the first of them. */
  readonly alone: { readonly count: number; readonly first: readonly string[] }
}

/** The exchanges of one operation that were read, and that are kept. */
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
  /** The value of `--max`; null: not given. */
  readonly max: number | null
  /** The values of `--operation`; empty: not given. */
  readonly only: readonly string[]
  /** How many exchanges were left out because `only` does not name their operations. */
  readonly leftOut: number
  /** How many of the exchanges read were redacted here, because no gateway recorded them. */
  readonly redacted: number
  /** Operations with more members than are told apart. */
  readonly tooManyMembers: readonly string[]
  readonly unreadable: { readonly count: number; readonly first: readonly Unreadable[] }
  readonly operations: readonly DistilledCounts[]
  readonly exchanges: readonly KeptPlace[]
}
