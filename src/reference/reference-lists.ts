import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { type FailureKind, UpstreamError } from '../upstream/upstream-error.ts'

/** A whole list as it is answered. */
export interface ReferenceList {
  readonly body: Uint8Array
  /** A strong entity tag (RFC 9110 section 8.8.3), quotes included. */
  readonly etag: string
}

interface Entry extends ReferenceList {
  /** When v1 gave it, in ms of the clock. */
  readonly readAt: number
  /** Whether v1 failed since then. */
  readonly isOverdue: boolean
}

export interface ReferenceOptions {
  /** How long a list is fresh. */
  readonly ttlMs: number
  /** How long it may still be served while v1 fails, counted from when it was read. */
  readonly staleMs: number
  /** What all lists together may take. */
  readonly maxBytes?: number
  /** How v1 failed, by what a sweep threw; undefined where it answered. */
  readonly failureOf?: (error: unknown) => FailureKind | 'internal' | undefined
  /** Whether v1 said no to the caller's token: what was kept for it is dropped. */
  readonly isRefusal?: (error: unknown) => boolean
  /** A clock in ms that only goes forward. */
  readonly now?: () => number
}

export interface ReferenceLists {
  /**
   * The list under a key, read with `sweep` when it is not there or no longer fresh; one sweep however many ask. While v1
   * fails (no connection, time-out, 5xx) the last list is served; any other failure is passed on.
   */
  get(key: string, sweep: () => Promise<Uint8Array>): Promise<ReferenceList>
}

/** v1 is down, as against: it answered, and what it says cannot be used. */
const OUTAGES: ReadonlySet<string> = new Set<FailureKind>(['unreachable', 'timeout', 'unavailable', 'overloaded'])

/** What an entry takes beside its bytes and its key, roughly: small lists must not add up unseen. */
const ENTRY_BYTES = 1_024

/** When v1 failed the last time, callers who could have the last list wait no longer than this for a newer one. */
const PATIENCE_MS = 1_000

const impatience = (last: Entry): Promise<Entry> =>
  new Promise((resolve) => setTimeout(resolve, PATIENCE_MS, last).unref())

/** While v1 fails, it is asked again after this long. */
const RETRY_MS = 1_000

export function referenceLists({
  ttlMs,
  staleMs,
  maxBytes = 256 * 1024 * 1024,
  failureOf = (error) => (error instanceof UpstreamError ? error.kind : undefined),
  isRefusal = () => false,
  now = () => performance.now(),
}: ReferenceOptions): ReferenceLists {
  const cache = new LRUCache<string, Entry, () => Promise<Uint8Array>>({
    maxSize: maxBytes,
    sizeCalculation: ({ body }, key) => body.byteLength + key.length * 2 + ENTRY_BYTES,
    ttl: Math.max(ttlMs, 1),
    ignoreFetchAbort: true,
    noDeleteOnFetchRejection: true,
    perf: { now },
    ttlResolution: 0,
    async fetchMethod(key, stale, { context: sweep, options }) {
      try {
        const body = await sweep()
        return {
          body,
          etag: `"${createHash('sha256').update(body).digest('base64url')}"`,
          readAt: now(),
          isOverdue: false,
        }
      } catch (error) {
        if (isRefusal(error)) cache.delete(key)
        if (stale === undefined || !OUTAGES.has(failureOf(error) ?? '') || now() - stale.readAt > staleMs) throw error
        options.ttl = Math.max(Math.min(RETRY_MS, stale.readAt + staleMs - now()), 1)
        return { ...stale, isOverdue: true }
      }
    },
  })
  return {
    async get(key, sweep) {
      const last = cache.peek(key, { allowStale: true })
      const reading = cache.fetch(key, { context: sweep })
      const canWait = last === undefined || !last.isOverdue || now() - last.readAt > staleMs
      const entry = await (canWait ? reading : Promise.race([reading, impatience(last)]))
      if (entry === undefined) throw new UpstreamError('unavailable', 'the list was given up while it was read')
      return entry
    },
  }
}
