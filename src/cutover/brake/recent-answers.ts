import type { Brake } from '../../compare/rollout/plan.ts'
import type { SideAnswers } from '../answered.ts'
import { inTime } from '../words.ts'
import { failuresOf, isSurelySlower, ofLegacy, slowerThan, slowFrom } from './brake.ts'
import { isSurelyAbove, isSurelyMore } from './surely-more.ts'

/** One call that a side answered. */
export interface Answer {
  /** As in `SideAnswers.failures`. */
  readonly isFailure: boolean
  readonly milliseconds: number
  /** Of a clock that never goes back; ms. */
  readonly at: number
}

/** The last calls of an operation at one replica, so that v1's getting worse late in a long step is not lost among all that went well before. */
export interface RecentAnswers {
  /** Costs next to nothing. */
  count(side: 'v1' | 'legacy', answer: Answer): void
  /**
   * Returns why the brake must go on, in words; undefined: it need not. May be asked after each call.
   * @param legacy all that the legacy service answered at this step and at the one before, as in `Standing`.
   */
  brakeReason(brake: Brake, legacy: SideAnswers): string | undefined
}

/** Short ones notice a service that fails everything, long ones one that fails some. */
const WINDOWS = [20, 60, 200] as const
const KEPT = 200
/** With this probability at most a window of equal services looks like that by chance: less than once in months, at any rate of calls. */
const DOUBT = 1e-12

/** Keeps the last 200 calls of each side. A new step begins with new ones. */
export function recentAnswers(): RecentAnswers {
  const v1 = ring()
  const legacy = ring()

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
      // What both services suffer from is not v1's fault.
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
    return `${slower} of the last ${KEPT} calls of v1 took more than the ${inTime(limit)} that the legacy service's p95 allows`
  }

  return {
    count: (side, answer) => (side === 'v1' ? v1 : legacy).add(answer),
    brakeReason: (brake, before) => failing(brake, before) ?? slow(brake, before),
  }
}

/** The last calls of one side. `size` is of how many of them, newest first. */
function ring() {
  const times = new Float64Array(KEPT)
  const durations = new Float64Array(KEPT)
  let added = 0
  /** Of the call that was added so many calls ago; 1 is the last. */
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
    failures: (size: number): number => count(size, (place) => durations[place] === FAILED),
    slower: (size: number, limit: number): number => count(size, (place) => (durations[place] ?? 0) > limit),
    /** When the oldest of them came. */
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

/** In place of a duration. */
const FAILED = -1
