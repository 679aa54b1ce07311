import type { CompiledOperation } from '../../engine/compile/compile-operations.ts'
import { indented } from '../examples/translated.ts'
import { explainRequests, inWords } from '../explain/explain-requests.ts'
import { explain } from '../lines/explain.ts'
import type { Snippet, SnippetRequest } from '../snippets/snippets-of.ts'
import { answerChanges, answerLosses, errorChanges } from './answer-changes.ts'
import type { Change, OperationGuide } from './client-guide.ts'
import { legacyCall, type ShownCall, shownCall } from './example-call.ts'
import { requestChanges, requestLosses } from './request-changes.ts'
import type { UsedOperation } from './used-operation.ts'

export interface CallFacts {
  /** The address of v1 to show; `UNKNOWN_V1` if it is not known. */
  readonly v1: URL
  /** The address of the legacy interface, or what its paths begin with; empty: neither. */
  readonly legacy: string
  /** Writes programs that send a request. */
  readonly snippetsOf: (request: SnippetRequest) => readonly Snippet[]
}

/** Writes what a client must change in its use of one operation. */
export function operationGuide(operation: CompiledOperation, used: UsedOperation, facts: CallFacts): OperationGuide {
  const { mapping } = operation
  const { seen } = used
  const shown = shownCall(operation, used)
  const { id, legacy, v1 = null } = mapping
  const about = {
    operation: id,
    says: inOneSentence(legacy, v1),
    legacy,
    v1,
    calls: used.calls,
    lookedAt: seen.calls,
    lastAt: used.lastAt,
  }
  if (v1 === null) {
    const none = { before: undefined, after: [], isOwnCall: false, isExample: false, hasPlaceholders: false }
    return { ...about, ...none, request: [], answer: [], errors: [], lost: [NO_EQUIVALENT(legacy)] }
  }
  const { requests, next } = shown === undefined ? NO_REQUESTS : v1Calls(operation, shown, facts)
  return {
    ...about,
    before: shown && legacyCall(operation, shown, facts.legacy),
    after: requests,
    ...inWords([...next, ...furtherPages(operation, shown)]),
    isOwnCall: shown?.isOwn === true,
    isExample: shown?.isExample === true,
    hasPlaceholders: shown?.hasPlaceholders === true,
    request: requestChanges(mapping, seen, shown),
    answer: answerChanges(mapping, seen),
    errors: errorChanges(mapping, seen),
    lost: [...requestLosses(mapping, seen), ...answerLosses(mapping, seen)],
  }
}

/** The mapping's own sentence is for all clients: it names what this one may never have used. */
const inOneSentence = (legacy: Route, v1: Route | null): string =>
  `${legacy.method} ${legacy.path} ${v1 === null ? 'has no equivalent at v1.' : `becomes ${v1.method} ${v1.path}.`}`

type Route = OperationGuide['legacy']

const NO_REQUESTS = { requests: [], next: [] }

const NO_EQUIVALENT = ({ method, path }: Route): Change => ({
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
