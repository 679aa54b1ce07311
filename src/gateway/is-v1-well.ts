import type { CompiledOperation } from '../engine/compile-operations.ts'
import type { Upstream } from '../upstream/upstream.ts'

/** A probe is as good as new for this long, however often it is asked for. */
const FRESH_MS = 1_000
/** Longer than this, and v1 counts as down. */
const PATIENCE_MS = 2_000

/**
 * Whether v1 answers at all, found out by asking it for one row of a list that needs no token. An answer of any status
 * below 500 will do. Without such a list nothing is asked, and v1 counts as well.
 */
export function v1Probe(v1: Upstream, operations: readonly CompiledOperation[]): () => Promise<boolean> {
  const list = operations.find(
    ({ mapping }) => mapping.response.kind === 'whole-list' && mapping.authorization === 'none',
  )
  const path = list?.mapping.v1?.path
  let last: { readonly at: number; readonly isWell: Promise<boolean> } | undefined

  const ask = async (): Promise<boolean> => {
    if (path === undefined) return true
    const request = {
      method: 'GET',
      path: `${path}?perPage=1`,
      headers: {},
      body: undefined,
      repeatable: true,
    } as const
    return v1.call({ ...request, timeoutMs: PATIENCE_MS }).then(
      ({ status }) => status < 500,
      () => false,
    )
  }
  return () => {
    const now = performance.now()
    if (last === undefined || now - last.at > FRESH_MS) last = { at: now, isWell: ask() }
    return last.isWell
  }
}
