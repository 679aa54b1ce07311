import { LRUCache } from 'lru-cache'
import { within } from '../common/promises.ts'
import type { WholeList } from './join-pages.ts'
import { type ListCounts, listCounter } from './list-counts.ts'
import { readAhead } from './read-ahead.ts'
import { type ReferenceList, referenceList } from './reference-list.ts'
import { OUTAGES, REFERENCE_DEFAULTS, type ReferenceOptions } from './reference-options.ts'

/** Reads a whole list from v1. */
export type Sweep = () => Promise<WholeList>

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
  /** Returns the counters, and the memory of the cached lists with their content codings. */
  counts(): readonly (Readonly<ListCounts> & { readonly bytes: number })[]
  /** Stops background refreshes. */
  close(): void
}

/** The rough memory of an entry besides its bytes and its key, so that many small lists count too. */
const ENTRY_BYTES = 1_024

/** If v1's last sweep failed, callers wait this long for a newer list before they get the last one. */
const PATIENCE_MS = 1_000
/** While v1 fails, the time until the next attempt. */
const RETRY_MS = 1_000

/** When to refresh a list that has callers, and how often to look for due lists, as fractions of `ttlMs`. */
const REFRESH_AT = 0.8
const LOOK_EVERY = 0.05

/** Creates the store of reference lists. */
export function referenceLists(options: ReferenceOptions): ReferenceLists {
  const {
    ttlMs,
    staleMs,
    maxBytes,
    failureOf,
    isRefusal,
    operationOf,
    operations,
    onRefreshFailed,
    onCountsDisagree,
    now,
  } = {
    ...REFERENCE_DEFAULTS,
    ...options,
  }
  const counter = listCounter(operationOf, operations)
  const cache = new LRUCache<string, Entry>({
    maxSize: maxBytes,
    sizeCalculation: ({ list }, key) => list.bytes() + key.length * 2 + ENTRY_BYTES,
  })
  const underWay = new Map<string, Promise<Entry>>()

  function read(key: string, sweep: Sweep, isAhead = false): Promise<Entry> {
    const reading = underWay.get(key) ?? readAgain(key, sweep, isAhead).finally(() => underWay.delete(key))
    underWay.set(key, reading)
    return reading
  }

  async function readAgain(key: string, sweep: Sweep, isAhead: boolean): Promise<Entry> {
    const counts = counter.of(key)
    const before = cache.peek(key)
    if (before !== undefined) before.wasTried = true
    try {
      const whole = await sweep()
      const { disagreement } = whole
      if (disagreement !== undefined && counts.countsDisagree++ === 0) onCountsDisagree(counts.operation, disagreement)
      const last = cache.peek(key)?.list
      // An unchanged list keeps the content codings made of it.
      const list = last?.etag === whole.etag ? last : referenceList(whole, () => weighAgain(key, list))
      counts.sweeps[list === last ? 'unchanged' : 'changed']++
      return keep(key, list, { counts, readAt: now(), freshUntil: now() + ttlMs, isOverdue: false, wasTried: false })
    } catch (error) {
      counts.sweeps.failed++
      if (isAhead) {
        counts.refreshFailures++
        onRefreshFailed(counts.operation, error)
      }
      if (isRefusal(error)) cache.delete(key)
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

  // With a `ttlMs` of 0 no list is ever fresh, and this never looks.
  const ahead = readAhead(
    ttlMs * LOOK_EVERY,
    () => cache.keys(),
    (key) => {
      const entry = cache.peek(key)
      return entry?.lastSweep !== undefined && isDue(entry, now()) ? read(key, entry.lastSweep, true) : undefined
    },
  )

  function fresh(key: string, sweep: Sweep): ReferenceList | undefined {
    const kept = cache.get(key)
    const at = now()
    if (kept === undefined || at >= kept.freshUntil) return undefined
    kept.lastSweep = sweep
    if (kept.isOverdue && at >= kept.readAt + ttlMs) kept.counts.staleAnswers++
    else kept.counts.hits++
    // This may be the list's first caller, and it may become stale before the next look.
    if (isDue(kept, at)) ahead.look()
    return kept.list
  }

  return {
    fresh,
    async get(key, sweep) {
      const list = fresh(key, sweep)
      if (list !== undefined) return list
      const kept = cache.peek(key)
      const reading = read(key, sweep)
      const canWait = kept === undefined || !kept.isOverdue || now() - kept.readAt > staleMs
      const entry = canWait ? await reading : ((await within(PATIENCE_MS, reading)) ?? kept)
      if (entry.isOverdue) entry.counts.staleAnswers++
      return entry.list
    },
    counts() {
      const bytes = new Map<ListCounts, number>()
      for (const { counts, list } of cache.values()) bytes.set(counts, (bytes.get(counts) ?? 0) + list.bytes())
      return counter.all().map((counts) => ({ ...counts, bytes: bytes.get(counts) ?? 0 }))
    },
    close: ahead.close,
  }
}
