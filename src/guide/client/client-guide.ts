import type { Snippet } from '../snippets/snippet.ts'

/** What one client must change to call v1, made from what it really sent: `GET /clients/{client}/guide`. */
export interface ClientGuide {
  readonly client: string
  /** The days that it is made of; `since` is ISO 8601. */
  readonly since: string
  readonly madeAt: string
  /** When the legacy interface is removed; ISO 8601, null: nobody said. */
  readonly sunset: string | null
  /** Where v1 is; null: its public address is not known. */
  readonly v1: string | null
  /** What to change whatever is called: login, envelope, errors. Only what concerns this client. */
  readonly general: readonly string[]
  /** The operations that it used, the most used first. */
  readonly operations: readonly OperationGuide[]
  /** What to do, in order. */
  readonly checklist: readonly string[]
}

export interface OperationGuide {
  readonly operation: string
  readonly says: string
  readonly legacy: { readonly method: string; readonly path: string }
  /** Null: v1 has no equivalent. */
  readonly v1: { readonly method: string; readonly path: string } | null
  readonly calls: number
  /** How many of them were looked at for what follows; 0: what they sent is not known. */
  readonly lookedAt: number
  readonly lastAt: string
  /** A call as it makes it, and the same at v1. Undefined: v1 has no equivalent. */
  readonly before: GuideCall | undefined
  readonly after: readonly (GuideCall & { readonly snippets: readonly Snippet[] })[]
  /** How further calls follow, or answers are combined. */
  readonly then: string | undefined
  /** Whether the values are those of its last call, redacted; otherwise they are examples. */
  readonly isOwnCall: boolean
  /** Whether its members are not known to be those that the client sends: the call is an example of the operation. */
  readonly isExample: boolean
  /** Whether placeholders such as `<first name>` stand for values of that call. */
  readonly hasPlaceholders: boolean
  /** What it sends that changes: mapping lines of members that it sends. */
  readonly request: readonly Change[]
  /** What changes in the answers that it got. */
  readonly answer: readonly Change[]
  /** Errors and statuses that it got, and what they are at v1. */
  readonly errors: readonly (Change & { readonly calls: number })[]
  /** What v1 cannot give back, or no longer takes, of what it uses. */
  readonly lost: readonly Change[]
}

export interface GuideCall {
  readonly method: string
  /** A URL, or a path where the address is not known. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Indented JSON; undefined: none. */
  readonly body: string | undefined
}

/** A mapping line that concerns the client. */
export interface Change {
  /** A path or a status; empty: the whole body; null: legacy does not have it. */
  readonly legacy: string | null
  readonly v1: string | null
  readonly change: string
  readonly says: string | null
  /** `assumed`: the contract does not say so. */
  readonly basis: 'documented' | 'assumed' | 'lost'
  readonly reason: string | null
  /** In how many of the calls that were looked at. */
  readonly calls?: number
}
