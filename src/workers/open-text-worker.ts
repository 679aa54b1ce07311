import type { AsideOf } from '../data-plane/gateway/large-texts.ts'
import { JsonError } from '../engine/json/scan-json.ts'
import { PromiseError } from '../engine/rewrite/rewrite-plan.ts'
import { oneAtATime } from './one-at-a-time.ts'
import type { TextTasks } from './text-worker.ts'

export interface TextWorker {
  /** Processes the large texts of a client's calls. Undefined: those that are the gateway's own. */
  readonly forClient: AsideOf
  close(): Promise<void>
}

/** Opens a worker thread for large texts. A task fails if the thread ends meanwhile. */
export function openTextWorker(): TextWorker {
  const { run, close } = oneAtATime<TextTasks>({
    program: new URL('text-worker.ts', import.meta.url),
    data: () => undefined,
    errors: [JsonError, PromiseError],
  })
  return {
    forClient: (client) => ({
      translateRequest: (id, input) => run('translateRequest', [id, input], { client }),
      rewritePage: (id, v1) => run('rewritePage', [id, v1], { moved: v1, client }),
      rewriteRows: (id, v1, slice) => run('rewriteRows', [id, v1, slice], { moved: v1, client }),
      checkAcknowledged: (v1) => run('checkAcknowledged', [v1], { moved: v1, client }),
      readV1Error: (v1) => run('readV1Error', [v1], { moved: v1, client }),
      rewriteFilled: (id, kind, v1, request, lists) =>
        run('rewriteFilled', [id, kind, v1, request, lists], { moved: v1, client }),
    }),
    close,
  }
}
