import { LRUCache } from 'lru-cache'
import { within } from '../../common/promises.ts'
import { SlowDown } from '../upstream/slow-down.ts'
import { type FailureKind, UpstreamError } from '../upstream/upstream-error.ts'
import type { WholeList } from './join-pages.ts'
import type { Disagreement } from './read-v1-pages.ts'
import { type ReferenceList, referenceList } from './reference-list.ts'

/** Reads a whole list from v1. `isAhead`: no caller waits for it. */
export type Sweep = (isAhead: boolean) => Promise<WholeList>

/** Whole reference lists, read from v1 and cached. */
export interface ReferenceLists {
  /**
   * Returns the list under a key. Reads it with `sweep` if it is missing or no longer fresh, once however many callers
   * wait. While v1 fails (no connection, time-out, 5xx) it returns the last list; any other failure rejects. A list
   * with a caller since it was read is refreshed in the background before it is stale, with the last caller's sweep.
   */
  get(key: string, sweep: Sweep): Promise<ReferenceList>
  /** Returns the list if `get` would not have to wait for it; otherwise undefined, and reads nothing. */
  fresh(key: string, sweep: Sweep): ReferenceList | undefined
  /** Forgets the lists of operations: their mappings have changed, and with them the keys of their lists. */
  drop(isDropped: (operation: string) => boolean): void
  /** Returns the counters, and the memory of the cached lists with their content codings. */
  counts(): readonly (Readonly<ListCounts> & { readonly bytes: number })[]
  /** Stops background refreshes. */
  close(): void
}

/** How reference lists are cached. */
export interface ReferenceOptions {
  /** How long a list is fresh. */
  readonly ttlMs: number
  /** How long it may be served while v1 fails, counted from when it was read. */
  readonly staleMs: number
  /** The most memory for all lists with their content codings. */
  readonly maxBytes?: number
  /** Returns how v1 failed, given the error of a sweep. Undefined if v1 answered. */
  readonly failureOf?: (error: unknown) => FailureKind | 'internal' | undefined
  /** Whether v1 refused the client's token. Then the list cached for it is dropped. */
  readonly isRefusal?: (error: unknown) => boolean
  /** Returns the operation to count a list under, given its key. There are few operations, however many keys. */
  readonly operationOf?: (key: string) => string
  /** The operations with counters from the start, so that the first event of each is an increase. */
  readonly operations?: readonly string[]
  /** Called when a background refresh fails. No caller sees that failure. */
  readonly onRefreshFailed?: (operation: string, error: unknown) => void
  /** Called for the first list of an operation whose number of rows differs from v1's own count. */
  readonly onCountsDisagree?: (operation: string, disagreement: Disagreement) => void
  /** A clock in ms that only goes forward. */
  readonly now?: () => number
}

/** Counters for the lists of one operation. */
export interface ListCounts {
  readonly operation: string
  /** Answers from a cached list that was fresh. */
  hits: number
  /** Answers from a cached list that was no longer fresh, because v1 failed. */
  staleAnswers: number
  /** Sweeps of v1 by result: a list that differs from the last one, the same list, or a failure. */
  readonly sweeps: Record<'changed' | 'unchanged' | 'failed', number>
  /** Lists that are served although v1's own count of their rows differs. */
  countsDisagree: number
  /** Failed background refreshes, which no caller waited for. */
  refreshFailures: number
}

interface Entry {
  readonly list: ReferenceList
  readonly counts: ListCounts
  /** When it was read from v1, in ms of the clock. */
  readonly readAt: number
  /** Until then it is served without a new sweep. */
  readonly freshUntil: number
  /** Whether v1 has failed since it was read. */
  readonly isOverdue: boolean
  /** The sweep of its last caller. Undefined if it had no caller since it was read. */
  lastSweep: Sweep | undefined
  /** Whether a refresh has been tried. One attempt in the background is enough. */
  wasTried: boolean
}

/** The memory of all lists unless `maxBytes` says otherwise. */
export const MAX_LIST_BYTES = 256 * 1024 * 1024
/** The rough memory of an entry besides its bytes and its key, so that many small lists count too. */
const ENTRY_BYTES = 1_024

/** If v1's last sweep failed, callers wait this long for a newer list before they get the last one. */
const PATIENCE_MS = 1_000
/** While v1 fails, the time until the next attempt. */
const RETRY_MS = 1_000

/** When to refresh a list that has callers, and how often to look for due lists, as fractions of `ttlMs`. */
const REFRESH_AT = 0.8
const LOOK_EVERY = 0.05

/** Failures that mean v1 is down, not that it sent an unusable answer. */
const OUTAGES: ReadonlySet<string> = new Set<FailureKind>(['unreachable', 'timeout', 'unavailable', 'overloaded'])

/** Creates the store of reference lists. */
export function referenceLists({
  ttlMs,
  staleMs,
  maxBytes = MAX_LIST_BYTES,
  failureOf = (error) => (error instanceof UpstreamError ? error.kind : undefined),
  isRefusal = () => false,
  operationOf = (key) => key,
  operations = [],
  onRefreshFailed,
  onCountsDisagree,
  now = () => performance.now(),
}: ReferenceOptions): ReferenceLists {
  const countsByOperation = new Map<string, ListCounts>()
  const cache = new LRUCache<string, Entry>({
    maxSize: maxBytes,
    sizeCalculation: ({ list }, key) => list.bytes() + key.length * 2 + ENTRY_BYTES,
  })
  const underWay = new Map<string, Promise<Entry>>()

  function countsOf(operation: string): ListCounts {
    const counts = countsByOperation.get(operation) ?? {
      ...{ operation, hits: 0, staleAnswers: 0, countsDisagree: 0, refreshFailures: 0 },
      sweeps: { changed: 0, unchanged: 0, failed: 0 },
    }
    countsByOperation.set(operation, counts)
    return counts
  }

  function read(key: string, sweep: Sweep, isAhead = false): Promise<Entry> {
    const reading = underWay.get(key) ?? readAgain(key, sweep, isAhead).finally(() => underWay.delete(key))
    underWay.set(key, reading)
    return reading
  }

  /** Waits for a refresh under way. If v1 wants none now, it is asked for the caller. */
  const joined = (key: string, sweep: Sweep): Promise<Entry> =>
    read(key, sweep).catch((error: unknown) => {
      if (!(error instanceof SlowDown)) throw error
      return read(key, sweep)
    })

  async function readAgain(key: string, sweep: Sweep, isAhead: boolean): Promise<Entry> {
    const counts = countsOf(operationOf(key))
    const before = cache.peek(key)
    if (before !== undefined) before.wasTried = true
    try {
      const whole = await sweep(isAhead)
      const { disagreement } = whole
      if (disagreement !== undefined && counts.countsDisagree++ === 0)
        onCountsDisagree?.(counts.operation, disagreement)
      const last = cache.peek(key)?.list
      // An unchanged list keeps the content codings made of it.
      const list = last?.etag === whole.etag ? last : referenceList(whole, () => weighAgain(key, list))
      counts.sweeps[list === last ? 'unchanged' : 'changed']++
      return keep(key, list, { counts, readAt: now(), freshUntil: now() + ttlMs, isOverdue: false, wasTried: false })
    } catch (error) {
      counts.sweeps.failed++
      if (isAhead) {
        counts.refreshFailures++
        onRefreshFailed?.(counts.operation, error)
      }
      if (isRefusal(error)) cache.delete(key)
      if (isAhead && error instanceof SlowDown) throw error
      const last = cache.peek(key) ?? before
      if (last === undefined || !OUTAGES.has(failureOf(error) ?? '') || now() - last.readAt > staleMs) throw error
      const retryAt = Math.min(now() + RETRY_MS, last.readAt + staleMs)
      return keep(key, last.list, { ...last, freshUntil: Math.max(last.freshUntil, retryAt), isOverdue: true })
    }
  }

  function keep(key: string, list: ReferenceList, times: Omit<Entry, 'list' | 'lastSweep'>): Entry {
    const entry = { ...times, list, lastSweep: undefined }
    cache.set(key, entry)
    return entry
  }

  function weighAgain(key: string, list: ReferenceList): void {
    const entry = cache.peek(key)
    if (entry?.list === list) cache.set(key, { ...entry })
  }

  const isDue = ({ wasTried, readAt, freshUntil }: Entry, at: number): boolean =>
    !wasTried && at >= readAt + ttlMs * REFRESH_AT && at < freshUntil

  let isClosed = false
  let isRefreshing = false
  /** The list that is being refreshed before any caller waits for it. */
  let refreshing: string | undefined
  /** Refreshes due lists that have callers, one at a time, because clients' calls come first. */
  async function refreshDue(): Promise<void> {
    if (isRefreshing) return
    isRefreshing = true
    for (const key of [...cache.keys()]) {
      const entry = cache.peek(key)
      if (isClosed || entry?.lastSweep === undefined || !isDue(entry, now())) continue
      refreshing = key
      // If it fails, the list stays as it was.
      await read(key, entry.lastSweep, true).catch(() => undefined)
      refreshing = undefined
    }
    isRefreshing = false
  }
  // With a `ttlMs` of 0 no list is ever fresh, and none is refreshed.
  const timer = ttlMs > 0 ? setInterval(refreshDue, ttlMs * LOOK_EVERY).unref() : undefined

  function fresh(key: string, sweep: Sweep): ReferenceList | undefined {
    const entry = cache.get(key)
    const at = now()
    if (entry === undefined || at >= entry.freshUntil) return undefined
    entry.lastSweep = sweep
    if (entry.isOverdue && at >= entry.readAt + ttlMs) entry.counts.staleAnswers++
    else entry.counts.hits++
    // This may be the list's first caller, and it may become stale before the next look.
    if (isDue(entry, at)) void refreshDue()
    return entry.list
  }

  for (const operation of operations) countsOf(operation)
  return {
    fresh,
    async get(key, sweep) {
      const list = fresh(key, sweep)
      if (list !== undefined) return list
      const last = cache.peek(key)
      const reading = key === refreshing ? joined(key, sweep) : read(key, sweep)
      const canWait = last === undefined || !last.isOverdue || now() - last.readAt > staleMs
      const entry = canWait ? await reading : ((await within(PATIENCE_MS, reading)) ?? last)
      if (entry.isOverdue) entry.counts.staleAnswers++
      return entry.list
    },
    drop(isDropped) {
      for (const key of [...cache.keys(), ...underWay.keys()]) {
        if (!isDropped(operationOf(key))) continue
        cache.delete(key)
        // Its callers get what is being read; nobody else will.
        const forget = () => cache.delete(key)
        underWay.get(key)?.then(forget, forget)
      }
    },
    counts() {
      const bytes = new Map<ListCounts, number>()
      for (const { counts, list } of cache.values()) bytes.set(counts, (bytes.get(counts) ?? 0) + list.bytes())
      return [...countsByOperation.values()].map((counts) => ({ ...counts, bytes: bytes.get(counts) ?? 0 }))
    },
    close() {
      isClosed = true
      clearInterval(timer)
    },
  }
}
