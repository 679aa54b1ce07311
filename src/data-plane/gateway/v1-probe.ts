import type { CompiledOperation } from '../../engine/compile/compile-operations.ts'
import { PURPOSE_HEADER } from '../../exchange/purpose.ts'
import type { Upstream, UpstreamAnswer } from '../upstream/upstream.ts'
import { LARGE_BYTES } from './large-texts.ts'

/** If v1 takes longer than this, it counts as down. */
const PATIENCE_MS = 2_000

/**
 * Returns a probe of v1, which asks for one row of a list that needs no token. The probe rejects while nothing answers.
 * If no mapping has such a list, it asks nothing and resolves with undefined.
 */
export function v1Probe(
  v1: Upstream,
  operations: readonly CompiledOperation[],
): () => Promise<UpstreamAnswer | undefined> {
  const list = operations.find(
    ({ mapping }) => mapping.response.kind === 'whole-list' && mapping.authorization === 'none',
  )
  const path = list?.mapping.v1?.path
  return async () => {
    if (path === undefined) return undefined
    const headers = { [PURPOSE_HEADER]: 'health' }
    const request = { method: 'GET', path: `${path}?perPage=1`, headers, body: undefined } as const
    return v1.call({ ...request, repeatable: true, timeoutMs: PATIENCE_MS })
  }
}

/** Statuses that say that the list of docs/contract.md 4.9 does not exist: the service that answers is not v1. */
const NOT_THERE: ReadonlySet<number> = new Set([404, 405, 410])

/**
 * Whether an answer to the probe comes from v1 (docs/contract.md 2.4 and 9.1): a page, or an error of v1 other than a 5xx. A
 * proxy's page, a redirect, or the JSON of another service does not count, nor does a text that is too large to be parsed between the calls: a page of one
 * row is smaller.
 */
export function isV1Answer({ status, body }: UpstreamAnswer): boolean {
  if (status >= 500 || NOT_THERE.has(status) || body.length >= LARGE_BYTES) return false
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
