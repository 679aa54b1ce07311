import type { CompiledOperation } from '../../engine/compile/compile-operations.ts'
import { indented } from '../examples/translated.ts'
import { addressOf, explainRequests, inWords } from '../explain/explain-requests.ts'
import { explain } from '../lines/explain.ts'
import type { Snippet, SnippetRequest } from '../snippets/snippets-of.ts'
import { answerChanges, answerLosses, errorChanges } from './answer-changes.ts'
import { checklistOf } from './checklist.ts'
import { commonChanges, UNKNOWN_V1 } from './common-changes.ts'
import { legacyCall, type ShownCall, shownCall } from './example-call.ts'
import { requestChanges, requestLosses } from './request-changes.ts'
import { type Summary, summaryOf, type Work, workOf } from './summary.ts'
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
  /** What is said on one screen. */
  readonly summary: Summary
  /** What changes for all calls: login, envelope, errors. Only what concerns this client. */
  readonly general: readonly string[]
  /** The same by topic. */
  readonly common: readonly CommonPart[]
  /** The operations that it used, most used first. */
  readonly operations: readonly OperationGuide[]
  /** What to do, in order. */
  readonly checklist: readonly string[]
}

/** What is said once for all operations, and referred to by `Change.topic`. */
export type Topic = 'reading' | 'tokens' | 'answers' | 'timestamps' | 'pages' | 'errors' | 'programs'

export interface CommonPart {
  readonly topic: Topic
  readonly title: string
  readonly says: readonly string[]
}

/** What one client must change in its use of one operation. */
export interface OperationGuide {
  readonly operation: string
  /** What the mapping says of the operation, for all clients. */
  readonly says: string
  readonly work: Work
  readonly legacy: { readonly method: string; readonly path: string }
  /** Null: v1 has no equivalent. */
  readonly v1: { readonly method: string; readonly path: string } | null
  readonly calls: number
  /** How many of them were examined for the members below; 0: what they sent is not known. */
  readonly lookedAt: number
  /** How many of these had a successful answer with members. */
  readonly answered: number
  readonly lastAt: string
  /** A call as the client makes it, and the same call at v1. Undefined: v1 has no equivalent. */
  readonly before: GuideCall | undefined
  readonly after: readonly (GuideCall & { readonly snippets: readonly Snippet[] })[]
  /** Which further calls follow, or how answers are combined. */
  readonly then?: string
  /** Whether the values are those of its typical call, redacted; otherwise they are examples. */
  readonly isOwnCall: boolean
  /** How many of its successful calls have the members of that call, at least, and how many there were. */
  readonly alike?: { readonly calls: number; readonly of: number } | undefined
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
  /** `assumed`: the contract does not say so. `corrected`: the operators of the gateway say so. */
  readonly basis: 'documented' | 'assumed' | 'lost' | 'corrected'
  readonly reason: string | null
  /** In how many of the calls that were examined. */
  readonly calls?: number
  /** What `ClientGuide.common` says of it once for all operations; unset: nothing. */
  readonly topic?: Topic
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
  const common = commonChanges(all, operations, facts)
  const unmapped = usage.filter((used) => !all.some((one) => one.used === used))
  const sunset = facts.sunset?.toISOString() ?? null
  const v1 = addressOf(address)
  return {
    client: facts.client,
    since: all.map(({ used }) => used.firstAt).reduce((one, other) => (other < one ? other : one)),
    madeAt: facts.madeAt.toISOString(),
    sunset,
    v1: facts.v1 === undefined ? null : v1,
    summary: summaryOf(operations, common),
    general: common.flatMap(({ says }) => says),
    common,
    operations,
    checklist: checklistOf(all, operations, {
      ...{ sunset, v1, all: facts.operations },
      unmapped: unmapped.reduce((sum, { calls }) => sum + calls, 0),
    }),
  }
}

/** The facts that the calls of a guide are written from. */
interface CallFacts {
  /** The address of v1 to show; `UNKNOWN_V1` if it is not known. */
  readonly v1: URL
  /** The address of the legacy interface, or what its paths begin with; empty: neither. */
  readonly legacy: string
  /** Writes programs that send a request. */
  readonly snippetsOf: (request: SnippetRequest) => readonly Snippet[]
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

/** Writes what a client must change in its use of one operation. */
function operationGuide(operation: CompiledOperation, used: UsedOperation, facts: CallFacts): OperationGuide {
  const { mapping } = operation
  const { seen } = used
  const shown = shownCall(operation, used)
  const { id, says, legacy, v1 = null } = mapping
  const about = {
    operation: id,
    says,
    legacy,
    v1,
    calls: used.calls,
    lookedAt: seen.calls,
    answered: Math.max(0, ...Object.values(seen.answered)),
    lastAt: used.lastAt,
  }
  if (v1 === null) {
    const none = { before: undefined, after: [], isOwnCall: false, isExample: false, hasPlaceholders: false }
    return {
      ...about,
      ...none,
      work: 'no-equivalent',
      request: [],
      answer: [],
      errors: [],
      lost: [noEquivalent(legacy)],
    }
  }
  const { requests, next } = shown === undefined ? NO_REQUESTS : v1Calls(operation, shown, facts)
  const changes = {
    request: requestChanges(mapping, seen, shown),
    answer: answerChanges(mapping, seen),
    errors: errorChanges(mapping, seen),
    lost: [...requestLosses(mapping, seen), ...answerLosses(mapping, seen)],
  }
  return {
    ...about,
    work: workOf(changes, seen.calls),
    before: shown && legacyCall(operation, shown, facts.legacy),
    after: requests,
    ...inWords([...next, ...furtherPages(operation, shown)]),
    isOwnCall: shown?.isOwn === true,
    alike: shown?.alike,
    isExample: shown?.isExample === true,
    hasPlaceholders: shown?.hasPlaceholders === true,
    ...changes,
  }
}

type Route = OperationGuide['legacy']

const NO_REQUESTS = { requests: [], next: [] }

const noEquivalent = ({ method, path }: Route): Change => ({
  ...{ legacy: `${method} ${path}`, v1: null, change: 'no equivalent' },
  ...{ says: 'v1 has no such call', basis: 'lost', reason: 'the contract names no v1 equivalent' },
})

function v1Calls(
  { mapping }: CompiledOperation,
  { call, language }: ShownCall,
  { v1, snippetsOf }: CallFacts,
): { readonly requests: OperationGuide['after']; readonly next: readonly string[] } {
  const { requests, next } = explainRequests(v1, mapping, call, language === 'en' ? language : undefined)
  return {
    next,
    requests: requests.map(({ method, url, headers, body: text }) => {
      const request = { method, url, headers, body: text === null ? undefined : indented(text) }
      return { ...request, snippets: snippetsOf(request) }
    }),
  }
}

/** Legacy has such pages too, so the explained requests do not mention further pages. */
function furtherPages({ mapping }: CompiledOperation, shown: ShownCall | undefined): readonly string[] {
  const asked = shown?.call.page
  if (asked === undefined || asked.perPage > asked.paging.mostPerPage) return []
  const pages = explain(mapping).find(({ part, v1 }) => part === 'answer' && v1 === PAGE_COUNT)
  const legacy = pages?.legacy == null ? '' : `, which replaces ${pages.legacy}`
  return [`To read all rows, continue with ${asked.paging.page} up to ${PAGE_COUNT}${legacy}.`]
}

/** docs/contract.md 2.4. */
const PAGE_COUNT = 'meta.pageCount'
