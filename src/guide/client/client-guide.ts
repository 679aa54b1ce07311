import type { Snippet } from '../snippets/snippet.ts'

/** What one client must change to call v1, based on what it really sent: `GET /clients/{client}/guide`. */
export interface ClientGuide {
  readonly client: string
  /** The period that it covers; `since` is ISO 8601. */
  readonly since: string
  readonly madeAt: string
  /** When the legacy interface is removed; ISO 8601; null: not announced. */
  readonly sunset: string | null
  /** The public address of v1; null: it is not known. */
  readonly v1: string | null
  /** What changes for all calls: login, envelope, errors. Only what concerns this client. */
  readonly general: readonly string[]
  /** The operations that it used, most used first. */
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
  /** How many of them were examined for the members below; 0: what they sent is not known. */
  readonly lookedAt: number
  readonly lastAt: string
  /** A call as the client makes it, and the same call at v1. Undefined: v1 has no equivalent. */
  readonly before: GuideCall | undefined
  readonly after: readonly (GuideCall & { readonly snippets: readonly Snippet[] })[]
  /** Which further calls follow, or how answers are combined. */
  readonly then: string | undefined
  /** Whether the values are those of its last call, redacted; otherwise they are examples. */
  readonly isOwnCall: boolean
  /** Whether the call is a mere example of the operation: it is not known whether the client sends its members. */
  readonly isExample: boolean
  /** Whether placeholders such as `<first name>` stand for values of that call. */
  readonly hasPlaceholders: boolean
  /** What changes in what it sends: the mapping lines of members that it sends. */
  readonly request: readonly Change[]
  /** What changes in the answers that it got. */
  readonly answer: readonly Change[]
  /** Errors and statuses that it got, and what v1 answers instead. */
  readonly errors: readonly (Change & { readonly calls: number })[]
  /** What it uses that v1 can no longer return or accept. */
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
  /** In how many of the calls that were examined. */
  readonly calls?: number
}
