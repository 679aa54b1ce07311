import { setTimeout as after } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
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

export interface ReferenceLists {
  /**
   * The list under a key, read with `sweep` when it is not there or no longer fresh; one sweep however many ask. While v1
   * fails (no connection, time-out, 5xx) the last list is served; any other failure is passed on. A list that somebody asked
   * for since it was read is read again before its time is over, with the last caller's sweep, while it is served.
   */
  get(key: string, sweep: Sweep): Promise<ReferenceList>
  /** The list at once, where `get` would not wait for it; otherwise undefined, and nothing is read. */
  fresh(key: string, sweep: Sweep): ReferenceList | undefined
  /** What has been counted so far, and what the lists that are kept take, with their content codings. */
  counts(): readonly (Readonly<ListCounts> & { readonly bytes: number })[]
  /** From now on nothing is read in the background. */
  close(): void
}

/** What an entry takes beside its bytes and its key, roughly: small lists must not add up unseen. */
const ENTRY_BYTES = 1_024

/** When v1 failed the last time, callers who could have the last list wait no longer than this for a newer one. */
const PATIENCE_MS = 1_000
/** While v1 fails, it is asked again after this long. */
const RETRY_MS = 1_000

/** When a list that is asked for is read again, and how often it is looked for such lists, as shares of their time. */
const REFRESH_AT = 0.8
const LOOK_EVERY = 0.05

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
      // One that has not changed stays with the codings that were made of it.
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

  // Where nothing is ever fresh there is nothing to look for.
  const ahead = readAhead(
    ttlMs * LOOK_EVERY,
    () => cache.keys(),
    (key) => {
      const entry = cache.peek(key)
      return entry?.asked !== undefined && isDue(entry) ? read(key, entry.asked, true) : undefined
    },
  )

  function fresh(key: string, sweep: Sweep): ReferenceList | undefined {
    const kept = cache.get(key)
    const at = now()
    if (kept === undefined || at >= kept.freshUntil) return undefined
    kept.asked = sweep
    if (kept.isOverdue && at >= kept.readAt + ttlMs) kept.counts.staleAnswers++
    else kept.counts.hits++
    // It may be the first who asks, and the time may be over before the next look.
    if (isDue(kept)) ahead.look()
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
      const entry = await (canWait ? reading : Promise.race([reading, after(PATIENCE_MS, kept, { ref: false })]))
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
