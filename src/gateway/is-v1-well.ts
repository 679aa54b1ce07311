import type { CompiledOperation } from '../engine/compile/compile-operations.ts'
import type { Upstream, UpstreamAnswer } from '../upstream/upstream.ts'

/** Longer than this, and v1 counts as down. */
const PATIENCE_MS = 2_000

/**
 * A cheap question to v1: one row of a list that needs no token. It rejects while nothing answers. Undefined where no mapping
 * knows such a list: nothing is asked then.
 */
export function v1Question(
  v1: Upstream,
  operations: readonly CompiledOperation[],
): () => Promise<UpstreamAnswer | undefined> {
  const list = operations.find(
    ({ mapping }) => mapping.response.kind === 'whole-list' && mapping.authorization === 'none',
  )
  const path = list?.mapping.v1?.path
  return async () => {
    if (path === undefined) return undefined
    const request = { method: 'GET', path: `${path}?perPage=1`, headers: {}, body: undefined } as const
    return v1.call({ ...request, repeatable: true, timeoutMs: PATIENCE_MS })
  }
}

/** Statuses that say that the list of docs/contract.md 4.9 is not there: whoever answers is not v1. */
const NOT_THERE: ReadonlySet<number> = new Set([404, 405, 410])

/**
 * Whether the answer to the question is one that v1 gives (docs/contract.md 2.4 and 9.1): a page, or an error
 * of v1 that is no 5xx. The page of a proxy, a redirect, or the JSON of another service is not.
 */
export function isAnswerOfV1({ status, body }: UpstreamAnswer): boolean {
  if (status >= 500 || NOT_THERE.has(status)) return false
  const { success, items, meta, code, message } = membersOf(body)
  if (status >= 400) return success === false && typeof code === 'string' && typeof message === 'string'
  return status < 300 && success === true && Array.isArray(items) && typeof meta === 'object' && meta !== null
}

function membersOf(body: Uint8Array): Readonly<Record<string, unknown>> {
  try {
    const json: unknown = JSON.parse(new TextDecoder().decode(body))
    return typeof json === 'object' && json !== null ? { ...json } : {}
  } catch {
    return {}
  }
}
