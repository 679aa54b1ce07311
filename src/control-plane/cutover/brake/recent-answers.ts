import { duration } from '../../../common/figures.ts'
import type { Brake } from '../../rollout/plan.ts'
import type { SideAnswers } from '../position.ts'
import {
  allowedFor,
  failuresOf,
  isMostlySlower,
  isSurelyAbove,
  isSurelyMore,
  isSurelySlower,
  ofLegacy,
  type Share,
  SLOWEST,
  slowerThan,
  slowFrom,
} from './brake.ts'
import { CALLS_TO_WAIT_FOR_PAIRS, type Pair, standingOf } from './pairs.ts'

/** One call that a side answered. */
export interface Answer {
  /** As in `SideAnswers.failures`. */
  readonly isFailure: boolean
  readonly milliseconds: number
  /** By a clock that never goes back; ms. */
  readonly at: number
}

/** The last calls of an operation at one replica. They show when v1 gets worse late in a long step, which the many good calls before would hide. */
export interface RecentAnswers {
  /** Counts a call. Costs next to nothing. */
  count(side: 'v1' | 'legacy', answer: Answer): void
  /** Counts how long both services took for a call that v1 answered. */
  countPair(pair: Pair): void
  /**
   * Returns why the brake must trip, in words; undefined if it need not. May be called after each call.
   * @param legacy all that the legacy service answered at this step and at the one before, as in `Standing`.
   */
  brakeReason(brake: Brake, legacy: SideAnswers): string | undefined
}

/** Short windows catch a service that fails every call, long ones a service that fails some. */
const WINDOWS = [20, 60, 200] as const
const KEPT = 200
/** The highest probability that a window looks like that by chance although both services are equal: less than once in months, at any call rate. */
const DOUBT = 1e-12

/** Keeps the last 200 calls of each side. Each step starts with none. */
export function recentAnswers(): RecentAnswers {
  const v1 = ring()
  const legacy = ring()
  const pairs: { readonly pair: Pair; readonly after: number }[] = []

  /**
   * Whether v1's last calls that legacy answered too do not excuse it: it is slow for them, there are too few, or they do not stand for all.
   * @param seen its slow calls, which took longer than `slowMs`.
   */
  function isNotExcused({ slowdown }: Brake, seen: Share, slowMs: number): boolean {
    const last = pairs.filter(({ after }) => after > v1.added() - CALLS_TO_WAIT_FOR_PAIRS)
    const asked = standingOf(last.length, v1.added())
    if (asked !== 'asked') return asked === 'none'
    const of = last.length
    if (isSurelyMore(seen, { count: last.filter(({ pair }) => pair.v1 > slowMs).length, of }, 0, DOUBT)) return true
    const sorted = last.map(({ pair }) => pair.legacy).sort((a, b) => a - b)
    const limit = allowedFor(sorted[Math.ceil(of * (1 - SLOWEST)) - 1] ?? 0, slowdown)
    const slow = last.filter(({ pair }) => pair.v1 > limit).length
    const slower = last.filter(({ pair }) => pair.isSlower).length
    return isSurelyAbove({ count: slow, of }, SLOWEST, DOUBT) || isMostlySlower({ count: slower, of }, DOUBT)
  }

  function failing(brake: Brake, before: SideAnswers): string | undefined {
    const { errors } = brake
    for (const size of WINDOWS) {
      if (v1.size() < size) return undefined
      const failures = v1.failures(size)
      const seen = { count: failures, of: size }
      if (!isSurelyMore(seen, failuresOf(before), errors, DOUBT)) continue
      const since = v1.since(size)
      const meanwhile = legacy.sizeSince(since)
      const alsoFailed = legacy.failures(meanwhile)
      // A failure that both services share is not v1's fault.
      if (meanwhile > 0 && !isSurelyAbove(seen, Math.min(alsoFailed / meanwhile + errors, 1), DOUBT)) continue
      return `v1 failed ${failures} of its last ${size} calls; ${ofLegacy({ calls: meanwhile, failures: alsoFailed })} meanwhile`
    }
    return undefined
  }

  function slow(brake: Brake, before: SideAnswers): string | undefined {
    const limit = slowFrom(before, brake.slowdown)
    if (limit === undefined || v1.size() < KEPT) return undefined
    const slower = v1.slower(KEPT, limit)
    const seen = { count: slower, of: KEPT }
    if (!isSurelySlower(seen, slowerThan(before, limit), DOUBT)) return undefined
    const meanwhile = legacy.sizeSince(v1.since(KEPT))
    if (meanwhile > 0 && !isSurelyAbove(seen, legacy.slower(meanwhile, limit) / meanwhile, DOUBT)) return undefined
    if (!isNotExcused(brake, seen, limit)) return undefined
    return `${slower} of the last ${KEPT} calls of v1 took more than the ${duration(limit)} that the legacy service's p95 allows`
  }

  return {
    count: (side, answer) => (side === 'v1' ? v1 : legacy).add(answer),
    countPair(pair) {
      if (pairs.push({ pair, after: v1.added() }) > KEPT) pairs.shift()
    },
    brakeReason: (brake, before) => failing(brake, before) ?? slow(brake, before),
  }
}

/** The last calls of one side. `size` is how many of them to look at, newest first. */
function ring() {
  const times = new Float64Array(KEPT)
  const durations = new Float64Array(KEPT)
  let added = 0
  /** The place of the call added `ago` calls ago; 1 is the last. */
  const placeOf = (ago: number): number => (added - ago) % KEPT
  const size = (): number => Math.min(added, KEPT)
  function count(size: number, isCounted: (place: number) => boolean): number {
    let counted = 0
    for (let ago = 1; ago <= size; ago++) if (isCounted(placeOf(ago))) counted++
    return counted
  }
  return {
    add({ isFailure, milliseconds, at }: Answer): void {
      const place = added % KEPT
      times[place] = at
      durations[place] = isFailure ? FAILED : milliseconds
      added++
    },
    size,
    added: (): number => added,
    failures: (size: number): number => count(size, (place) => durations[place] === FAILED),
    slower: (size: number, limit: number): number => count(size, (place) => (durations[place] ?? 0) > limit),
    /** When the oldest of the last `size` calls came. */
    since: (size: number): number => times[placeOf(size)] ?? 0,
    /** How many came since then. */
    sizeSince(at: number): number {
      const all = size()
      let since = 0
      while (since < all && (times[placeOf(since + 1)] ?? 0) >= at) since++
      return since
    },
  }
}

/** Stored in place of a failed call's duration. */
const FAILED = -1
