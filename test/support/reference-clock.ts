import { onTestFinished } from 'vitest'
import type { WholeList } from '../../src/data-plane/reference/join-pages.ts'
import type { ReferenceOptions } from '../../src/data-plane/reference/reference-lists.ts'
import { referenceLists } from '../../src/data-plane/reference/reference-lists.ts'
import { type FailureKind, UpstreamError } from '../../src/data-plane/upstream/upstream-error.ts'

export const TTL_MS = 1_000
export const STALE_MS = 60_000

/** Lists with a clock that the test advances, and a sweep that counts itself. */
export function setUpLists(options: Partial<ReferenceOptions> = {}) {
  const state = { now: 5_000, sweeps: 0, failure: undefined as Error | undefined }
  const lists = referenceLists({ ttlMs: TTL_MS, staleMs: STALE_MS, now: () => state.now, ...options })
  onTestFinished(() => lists.close())
  const sweep = async (): Promise<WholeList> => {
    state.sweeps++
    const { sweeps, failure } = state
    await Promise.resolve()
    if (failure !== undefined) throw failure
    return wholeList(`list ${sweeps}`)
  }
  const get = async (key = 'a'): Promise<string> => Buffer.from((await lists.get(key, sweep)).body).toString()
  return { state, lists, sweep, get }
}

/** A list as a sweep returns it. */
export const wholeList = (text: string): WholeList => ({ body: Buffer.from(text), etag: `"${text}"` })

/** An error of v1 when it is down. */
export const down = (kind: FailureKind): UpstreamError => new UpstreamError(kind, 'down')
