import { workerData } from 'node:worker_threads'
import { type ExplainedForm, explainForm } from '../admin/dashboard/explain-page.ts'
import {
  checkAcknowledged,
  type PageRows,
  rewriteList,
  rewritePage,
  rewriteRecord,
  rewriteRows,
  type Slice,
} from '../engine/answer.ts'
import type { CompiledOperation } from '../engine/compile/compile-operations.ts'
import { recordFinder, requestRowFinder } from '../engine/json-members.ts'
import { readV1Error, type V1ErrorBody } from '../engine/read-v1-error.ts'
import type { LegacyInput, Translation } from '../engine/translate-request.ts'
import { redactor } from '../exchange/redactor.ts'
import type { Filled } from '../gateway/large-texts.ts'
import { operationFinder, pathForwarder } from '../gateway/legacy-paths.ts'
import { loadMappings } from '../gateway/load-mappings.ts'
import { type Explainer, explainCall } from '../guide/explain/explain-call.ts'
import { type ExplainedBy, explainOrder } from '../guide/explain/explain-over-http.ts'
import { exchangeLine, type RecordableExchange } from '../recording/record-line.ts'
import { answerCalls } from './rpc.ts'

/** The most dropped names returned: more would take the main thread too long to read. */
const MOST_DROPPED = 5_000

/** What an explanation depends on, with the URL as text, because a URL object cannot be sent to another thread. */
export type PlainExplainer = Omit<ExplainedBy, 'v1BaseUrl'> & { readonly v1Url: string }

/** The tasks of the thread for large texts. Arguments and results are plain data. */
export type TextTasks = ReturnType<typeof textTasks>

/** @param key the key for redacting recordings. */
function textTasks(key: Uint8Array) {
  const { operations: compiled, messages } = loadMappings()
  const operations = new Map(compiled.map((operation) => [operation.mapping.id, operation]))
  const byId = (id: string): CompiledOperation => {
    const operation = operations.get(id)
    if (operation === undefined) throw new Error(`no operation ${id}`)
    return operation
  }
  const redact = redactor(key)
  const explainerOf = ({ v1Url, ...by }: PlainExplainer): Explainer => ({
    ...by,
    operations: compiled,
    find: operationFinder(compiled, by.basePath),
    forwardedPath: pathForwarder(
      compiled.map(({ mapping }) => mapping),
      by.basePath,
    ),
    messages,
    v1BaseUrl: new URL(v1Url),
  })
  return {
    translateRequest(id: string, input: LegacyInput): Translation {
      const { dropped, ...translation } = byId(id).translateRequest(input)
      return {
        ...translation,
        dropped: dropped.size > MOST_DROPPED ? new Set([...dropped].slice(0, MOST_DROPPED)) : dropped,
      }
    },
    rewritePage(id: string, v1: Uint8Array): Uint8Array {
      const { page } = byId(id)
      if (page === undefined) throw new Error(`${id} has no page`)
      return rewritePage(page, v1)
    },
    rewriteRows: (id: string, v1: Uint8Array, slice: Slice): PageRows => rewriteRows(byId(id).answer, v1, slice),
    checkAcknowledged: (v1: Uint8Array): void => checkAcknowledged(v1),
    readV1Error: (v1: Uint8Array): V1ErrorBody => readV1Error(v1),
    rewriteFilled(
      id: string,
      kind: 'record' | 'list',
      v1: Uint8Array,
      request: Uint8Array,
      lists: ReadonlyMap<string, Uint8Array | null>,
    ): Filled {
      const finders = new Map<string, ReturnType<typeof recordFinder>>()
      for (const [list, body] of lists) if (body !== null) finders.set(list, recordFinder(body))
      const missing = new Set<string>()
      const rewrite = kind === 'record' ? rewriteRecord : rewriteList
      const legacy = rewrite(byId(id).answer, v1, {
        context: {
          requestRow: requestRowFinder(request),
          reference(list, match, key, take) {
            if (!lists.has(list)) missing.add(list)
            return finders.get(list)?.(match, key, take)
          },
        },
      })
      return missing.size === 0 ? { legacy } : { missing: [...missing], v1 }
    },
    explainOrder: (by: PlainExplainer, order: Uint8Array) => explainOrder(explainerOf(by), order),
    explainForm: (by: PlainExplainer, form: Uint8Array): ExplainedForm =>
      explainForm({ explain: (call) => explainCall(explainerOf(by), call) }, form),
    /** Writes one exchange as a line of the recording, redacted. */
    exchangeLine: (exchange: RecordableExchange): Uint8Array => exchangeLine(exchange, redact),
  }
}

answerCalls(textTasks((workerData as { readonly key: Uint8Array }).key))
