import type { CompiledOperation } from '../engine/compile/compile-operations.ts'
import type { Upstream } from '../upstream/upstream.ts'
import { UpstreamError } from '../upstream/upstream-error.ts'

/** A probe is as good as new for this long, however often it is asked for. */
const FRESH_MS = 1_000
/** Longer than this, and v1 counts as down. */
const PATIENCE_MS = 2_000

/**
 * A cheap question to v1: one row of a list that needs no token. It rejects while v1 does not answer; an answer of any status
 * below 500 will do. Without such a list nothing is asked.
 */
export function v1Question(v1: Upstream, operations: readonly CompiledOperation[]): () => Promise<void> {
  const list = operations.find(
    ({ mapping }) => mapping.response.kind === 'whole-list' && mapping.authorization === 'none',
  )
  const path = list?.mapping.v1?.path
  return async () => {
    if (path === undefined) return
    const request = { method: 'GET', path: `${path}?perPage=1`, headers: {}, body: undefined } as const
    const { status } = await v1.call({ ...request, repeatable: true, timeoutMs: PATIENCE_MS })
    if (status >= 500) throw new UpstreamError('unavailable', `it answers ${status}`)
  }
}

/** Whether v1 answers. */
export interface V1Probe {
  /** Finds out by asking it, once a second at most. */
  isWell(): Promise<boolean>
  /** What it was found to be the last time, without asking; well before the first. */
  wasWell(): boolean
}

export function v1Probe(ask: () => Promise<void>): V1Probe {
  let wasWell = true
  let last: { readonly at: number; readonly isWell: Promise<boolean> } | undefined
  const found = (isWell: boolean): boolean => {
    wasWell = isWell
    return isWell
  }
  return {
    isWell() {
      const now = performance.now()
      if (last === undefined || now - last.at > FRESH_MS) {
        const isWell = ask().then(
          () => found(true),
          () => found(false),
        )
        last = { at: now, isWell }
      }
      return last.isWell
    },
    wasWell: () => wasWell,
  }
}
