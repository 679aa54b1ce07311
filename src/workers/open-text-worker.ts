import type { ExplainedForm } from '../admin/dashboard/explain-page.ts'
import { JsonError } from '../engine/json/scan-json.ts'
import { PromiseError } from '../engine/rewrite/rewrite-plan.ts'
import type { AsideOf } from '../gateway/large-texts.ts'
import type { ExplainAside, ExplainedBy } from '../guide/explain/explain-over-http.ts'
import type { RecordableExchange } from '../recording/record-line.ts'
import { oneAtATime } from './one-at-a-time.ts'
import type { PlainExplainer, TextTasks } from './text-worker.ts'

export interface TextWorker extends ExplainAside {
  /** Processes the large texts of a client's calls. Undefined: those that are the gateway's own. */
  readonly forClient: AsideOf
  /** Writes one exchange as a line of the recording, redacted. */
  exchangeLine(exchange: RecordableExchange): Promise<Buffer>
  /** Explains a form of the dashboard. Tasks of calls go first. */
  explainForm(by: ExplainedBy, form: Uint8Array): Promise<ExplainedForm>
  close(): Promise<void>
}

/**
 * Opens a worker thread for large texts. A task fails if the thread ends meanwhile.
 * @param key the key for redacting recordings.
 */
export function openTextWorker(key: Uint8Array): TextWorker {
  const { run, close } = oneAtATime<TextTasks>({
    program: new URL('text-worker.ts', import.meta.url),
    workerData: () => ({ key }),
    errors: [JsonError, PromiseError],
  })
  return {
    forClient: (client) => ({
      translateRequest: (id, input) => run('translateRequest', [id, input], { client }),
      rewritePage: (id, v1) => run('rewritePage', [id, v1], { transferred: v1, client }),
      rewriteRows: (id, v1, slice) => run('rewriteRows', [id, v1, slice], { transferred: v1, client }),
      checkAcknowledged: (v1) => run('checkAcknowledged', [v1], { transferred: v1, client }),
      readV1Error: (v1) => run('readV1Error', [v1], { transferred: v1, client }),
      rewriteFilled: (id, kind, v1, request, lists) =>
        run('rewriteFilled', [id, kind, v1, request, lists], { transferred: v1, client }),
    }),
    explainOrder: (by, order) => run('explainOrder', [plain(by), order]),
    explainForm: (by, form) => run('explainForm', [plain(by), form], { transferred: form, canWait: true }),
    async exchangeLine(exchange) {
      const line = await run('exchangeLine', [exchange], { canWait: true })
      return Buffer.from(line.buffer, line.byteOffset, line.byteLength)
    },
    close,
  }
}

/** A URL object cannot be sent to another thread, so it is sent as text. */
const plain = ({ basePath, hasLegacy, v1BaseUrl, maxBodyBytes }: ExplainedBy) =>
  ({ basePath, hasLegacy, v1Url: v1BaseUrl.href, maxBodyBytes }) satisfies PlainExplainer
