import { DAY_MS } from '../../common/time.ts'
import { countedUntil } from '../../compare/rollout/brownout-days.ts'
import { type Brownout, concerns, latestBegun } from './brownout.ts'

/** An answered call. */
export interface BrownedCall {
  readonly operation: string | undefined
  readonly client: string
  /** The number of the brownout that refused it. */
  readonly brownout: number | undefined
  /** When it arrived; ms since the epoch. */
  readonly at: number
}

/** What a call was to a brownout: refused by it, let through while it was under way, or made since it ended. */
export type BrownoutMark = 'refused' | 'passed' | 'since'

/** Counts what a call was to the brownout with this key. */
export type MarkCall = (
  call: { readonly operation: string; readonly client: string },
  key: string,
  mark: BrownoutMark,
) => void

/** Says what each call was to the brownouts that began today or yesterday (UTC). While there is none, a call costs one comparison. */
export interface CallCounter {
  count(call: BrownedCall): void
  /** Sets the brownouts of the file. Call it more often than once a day. */
  watch(brownouts: readonly Brownout[], now: number): void
}

/** Brownouts that begin sooner are watched already, so that their first call counts. */
const AHEAD_MS = DAY_MS

export function callCounter(mark: MarkCall): CallCounter {
  let watched: readonly Brownout[] = []
  let begins = Number.POSITIVE_INFINITY
  return {
    count({ operation, client, brownout: n, at }) {
      if (at < begins || operation === undefined) return
      for (const { n: own, key, rule, from, until } of watched) {
        if (at < from || at >= countedUntil(from) || !concerns(rule, operation)) continue
        mark({ operation, client }, key, n === own ? 'refused' : at < until ? 'passed' : 'since')
      }
    },
    watch(brownouts, now) {
      const soon = brownouts.filter(({ from }) => from > now && from <= now + AHEAD_MS)
      watched = [...latestBegun(brownouts, now), ...soon].filter(({ from }) => now < countedUntil(from))
      begins = Math.min(...watched.map(({ from }) => from))
    },
  }
}
