import { setTimeout as after } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { type FailureKind, UpstreamError } from '../upstream/upstream-error.ts'
import type { WholeList } from './join-pages.ts'
import { type ReferenceList, referenceList } from './reference-list.ts'

/** Reads a whole list from v1. */
export type Sweep = () => Promise<WholeList>

interface Entry {
  readonly list: ReferenceList
  /** When v1 gave it, in ms of the clock. */
  readonly readAt: number
  /** Until then v1 is not asked before it is served. */
  readonly freshUntil: number
  /** Whether v1 failed since it was read. */
  readonly isOverdue: boolean
  /** How the last caller since it was read would read it again; undefined: nobody asked for it. */
  asked: Sweep | undefined
  /** Whether reading it again has been tried: in the background once is enough. */
  wasTried: boolean
}

export interface ReferenceOptions {
  /** How long a list is fresh. */
  readonly ttlMs: number
  /** How long it may still be served while v1 fails, counted from when it was read. */
  readonly staleMs: number
  /** What all lists together may take, with their content codings. */
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
   * fails (no connection, time-out, 5xx) the last list is served; any other failure is passed on. A list that somebody asked
   * for since it was read is read again before its time is over, with the last caller's sweep, while it is served.
   */
  get(key: string, sweep: Sweep): Promise<ReferenceList>
  /** From now on nothing is read in the background. */
  close(): void
}

/** v1 is down, as against: it answered, and what it says cannot be used. */
const OUTAGES: ReadonlySet<string> = new Set<FailureKind>(['unreachable', 'timeout', 'unavailable', 'overloaded'])

/** What an entry takes beside its bytes and its key, roughly: small lists must not add up unseen. */
const ENTRY_BYTES = 1_024

/** When v1 failed the last time, callers who could have the last list wait no longer than this for a newer one. */
const PATIENCE_MS = 1_000
/** While v1 fails, it is asked again after this long. */
const RETRY_MS = 1_000

/** When a list that is asked for is read again, and how often it is looked for such lists, as shares of their time. */
const REFRESH_AT = 0.8
const LOOK_EVERY = 0.05

export function referenceLists({
  ttlMs,
  staleMs,
  maxBytes = 256 * 1024 * 1024,
  failureOf = (error) => (error instanceof UpstreamError ? error.kind : undefined),
  isRefusal = () => false,
  now = () => performance.now(),
}: ReferenceOptions): ReferenceLists {
  const cache = new LRUCache<string, Entry>({
    maxSize: maxBytes,
    sizeCalculation: ({ list }, key) => list.bytes() + key.length * 2 + ENTRY_BYTES,
  })
  const underWay = new Map<string, Promise<Entry>>()
  let isClosed = false
  let isRefreshing = false

  function read(key: string, sweep: Sweep): Promise<Entry> {
    const reading = underWay.get(key) ?? readAgain(key, sweep).finally(() => underWay.delete(key))
    underWay.set(key, reading)
    return reading
  }

  async function readAgain(key: string, sweep: Sweep): Promise<Entry> {
    const before = cache.peek(key)
    if (before !== undefined) before.wasTried = true
    try {
      const whole = await sweep()
      const last = cache.peek(key)?.list
      // One that has not changed stays with the codings that were made of it.
      const list = last?.etag === whole.etag ? last : referenceList(whole, () => weighAgain(key, list))
      return keep(key, list, { readAt: now(), freshUntil: now() + ttlMs, isOverdue: false, wasTried: false })
    } catch (error) {
      if (isRefusal(error)) cache.delete(key)
      const last = cache.peek(key) ?? before
      if (last === undefined || !OUTAGES.has(failureOf(error) ?? '') || now() - last.readAt > staleMs) throw error
      const retryAt = Math.min(now() + RETRY_MS, last.readAt + staleMs)
      return keep(key, last.list, { ...last, freshUntil: Math.max(last.freshUntil, retryAt), isOverdue: true })
    }
  }

  function keep(key: string, list: ReferenceList, times: Omit<Entry, 'list' | 'asked'>): Entry {
    const entry = { ...times, list, asked: undefined }
    cache.set(key, entry)
    return entry
  }

  function weighAgain(key: string, list: ReferenceList): void {
    const entry = cache.peek(key)
    if (entry?.list === list) cache.set(key, { ...entry })
  }

  const isDue = ({ wasTried, readAt, freshUntil }: Entry): boolean =>
    !wasTried && now() >= readAt + ttlMs * REFRESH_AT && now() < freshUntil

  /** One list after another: v1 is there for the callers first. What fails leaves the list as it was. */
  async function refreshDue(): Promise<void> {
    if (isRefreshing) return
    isRefreshing = true
    for (const key of [...cache.keys()]) {
      const entry = cache.peek(key)
      if (isClosed || entry?.asked === undefined || !isDue(entry)) continue
      await read(key, entry.asked).catch(() => undefined)
    }
    isRefreshing = false
  }

  // Where nothing is ever fresh there is nothing to look for.
  const look = ttlMs > 0 ? setInterval(refreshDue, ttlMs * LOOK_EVERY).unref() : undefined

  return {
    async get(key, sweep) {
      const kept = cache.get(key)
      if (kept !== undefined && now() < kept.freshUntil) {
        kept.asked = sweep
        // It may be the first who asks, and the time may be over before the next look.
        if (isDue(kept)) void refreshDue()
        return kept.list
      }
      const reading = read(key, sweep)
      const canWait = kept === undefined || !kept.isOverdue || now() - kept.readAt > staleMs
      return (await (canWait ? reading : Promise.race([reading, after(PATIENCE_MS, kept, { ref: false })]))).list
    },
    close() {
      isClosed = true
      clearInterval(look)
    },
  }
}
