import type { AsideOf } from '../data-plane/gateway/large-texts.ts'
import { JsonError } from '../engine/json/scan-json.ts'
import { PromiseError } from '../engine/rewrite/rewrite-plan.ts'
import { versionOf } from '../mapping/corrections/mapping-version.ts'
import type { Operation } from '../mapping/operation.ts'
import { oneAtATime } from './one-at-a-time.ts'
import type { NamedMapping, TextTasks } from './text-worker.ts'

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
      translateRequest: (mapping, input) => run('translateRequest', [named(mapping), input], { client }),
      rewritePage: (mapping, v1) => run('rewritePage', [named(mapping), v1], { moved: v1, client }),
      rewriteRows: (mapping, v1, slice) => run('rewriteRows', [named(mapping), v1, slice], { moved: v1, client }),
      checkAcknowledged: (v1) => run('checkAcknowledged', [v1], { moved: v1, client }),
      readV1Error: (v1) => run('readV1Error', [v1], { moved: v1, client }),
      rewriteFilled: (mapping, kind, v1, request, lists) =>
        run('rewriteFilled', [named(mapping), kind, v1, request, lists], { moved: v1, client }),
    }),
    close,
  }
}

/** Names a mapping for the other thread, which makes the same from it. */
const named = (mapping: Operation): NamedMapping => ({
  id: mapping.id,
  version: versionOf(mapping),
  corrections: mapping.corrections,
})
