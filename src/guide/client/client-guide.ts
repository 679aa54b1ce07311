import type { CompiledOperation } from '../../engine/compile/compile-operations.ts'
import { addressOf } from '../explain/explain-requests.ts'
import type { Snippet } from '../snippets/snippets-of.ts'
import { checklistOf, generalChanges, UNKNOWN_V1 } from './checklist.ts'
import { type CallFacts, operationGuide } from './operation-guide.ts'
import type { UsedOperation } from './used-operation.ts'

/** Everything that one client must change to call v1, based on what it really sent: `GET /clients/{client}/guide`. */
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
  readonly then?: string
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

/**
 * Writes what one client must change to call v1, based on what it really sent. The guide leaves out members, answers and errors that its
 * calls did not show. Undefined: the client used no operation that a mapping has.
 * @param usage what the client used, by operation, in any order.
 */
export function guideOf(usage: readonly UsedOperation[], facts: GuideFacts): ClientGuide | undefined {
  const all = usage
    .flatMap((used): Used[] => {
      const operation = facts.operations.find(({ mapping }) => mapping.id === used.operation)
      return operation === undefined ? [] : [{ operation, used }]
    })
    .sort((one, other) => other.used.calls - one.used.calls)
  if (all.length === 0) return undefined
  const address = facts.v1 ?? UNKNOWN_V1
  const operations = all.map(({ operation, used }) => operationGuide(operation, used, { ...facts, v1: address }))
  const unmapped = usage.filter((used) => !all.some((one) => one.used === used))
  const sunset = facts.sunset?.toISOString() ?? null
  const v1 = addressOf(address)
  return {
    client: facts.client,
    since: all.map(({ used }) => used.firstAt).reduce((one, other) => (other < one ? other : one)),
    madeAt: facts.madeAt.toISOString(),
    sunset,
    v1: facts.v1 === undefined ? null : v1,
    general: generalChanges(all, operations, facts),
    operations,
    checklist: checklistOf(all, operations, {
      ...{ sunset, v1, all: facts.operations },
      unmapped: unmapped.reduce((sum, { calls }) => sum + calls, 0),
    }),
  }
}

/** The facts that a guide is made from, besides the client's calls. */
export interface GuideFacts extends Omit<CallFacts, 'v1'> {
  readonly client: string
  readonly madeAt: Date
  /** When the legacy interface is removed; undefined: not announced. */
  readonly sunset: Date | undefined
  /** The public address of v1; undefined: it is not known. */
  readonly v1: URL | undefined
  readonly operations: readonly CompiledOperation[]
}

/** An operation that a client used, with what the mapping and the calls say of it. */
export interface Used {
  readonly operation: CompiledOperation
  readonly used: UsedOperation
}
