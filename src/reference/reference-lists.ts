import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { UpstreamError } from '../upstream/upstream-error.ts'

/** A whole list as it is answered. */
export interface ReferenceList {
  readonly body: Uint8Array
  /** A strong entity tag (RFC 9110 section 8.8.3), quotes included. */
  readonly etag: string
}

interface Entry extends ReferenceList {
  /** When v1 gave it, in ms of the clock. */
  readonly readAt: number
  /** Whether v1 failed since then: callers do not wait for it to fail again. */
  readonly isOverdue: boolean
}

export interface ReferenceOptions {
  /** How long a list is fresh. */
  readonly ttlMs: number
  /** How long it may still be served while v1 fails, counted from when it was read. */
  readonly staleMs: number
  /** What all lists together may take. */
  readonly maxBytes?: number
  /** A clock in ms that only goes forward. */
  readonly now?: () => number
}

export interface ReferenceLists {
  /**
   * The list under a key, read with `sweep` when it is not there or no longer fresh; one sweep however many ask. While v1
   * fails (no connection, time-out, 5xx) the last list is served; any other failure drops it and is passed on.
   */
  get(key: string, sweep: () => Promise<Uint8Array>): Promise<ReferenceList>
}

/** While v1 fails, it is asked again after this long. */
const RETRY_MS = 1_000

export function referenceLists({
  ttlMs,
  staleMs,
  maxBytes = 256 * 1024 * 1024,
  now = () => performance.now(),
}: ReferenceOptions): ReferenceLists {
  const cache = new LRUCache<string, Entry, () => Promise<Uint8Array>>({
    maxSize: maxBytes,
    sizeCalculation: ({ body }, key) => body.byteLength + key.length,
    ttl: Math.max(ttlMs, 1),
    ignoreFetchAbort: true,
    perf: { now },
    ttlResolution: 0,
    async fetchMethod(_, stale, { context: sweep, options }) {
      try {
        const body = await sweep()
        return {
          body,
          etag: `"${createHash('sha256').update(body).digest('base64url')}"`,
          readAt: now(),
          isOverdue: false,
        }
      } catch (error) {
        if (stale === undefined || !isOutage(error) || now() - stale.readAt > staleMs) throw error
        options.ttl = RETRY_MS
        return { ...stale, isOverdue: true }
      }
    },
  })
  return {
    async get(key, sweep) {
      const last = cache.peek(key, { allowStale: true })
      const allowStale = last?.isOverdue === true && now() - last.readAt <= staleMs
      const entry = await cache.fetch(key, { context: sweep, allowStale })
      if (entry === undefined) throw new UpstreamError('unavailable', 'the list was given up while it was read')
      return entry
    },
  }
}

/** Whether v1 is down, as against: it answered, and the answer is no. */
function isOutage(error: unknown): boolean {
  return error instanceof UpstreamError && ['unreachable', 'timeout', 'unavailable', 'overloaded'].includes(error.kind)
}
