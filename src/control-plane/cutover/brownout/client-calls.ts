import { DAY_MS } from '../../../common/time.ts'
import { type Brownout, concerns, mayHit } from '../../../planes/decisions.ts'
import { countedUntil, MOST_LISTED } from '../../rollout/brownout-rule.ts'
import { latestBegun } from './brownout.ts'

/** Calls of a brownout's operations: before it began, refused by it, and since it ended. */
interface ClientCalls {
  readonly before: number
  readonly refused: number
  readonly since: number
}

/** The calls of each client, and of all others together: clients without a known name, and those beyond 1,000. */
export interface CallsByClient {
  readonly clients: readonly (ClientCalls & { readonly client: string })[]
  readonly others: ClientCalls
}

export const NO_CALLS: ClientCalls = { before: 0, refused: 0, since: 0 }

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

/** Calls of an operation by a client so far. */
export interface UsageRow {
  readonly operation: string
  readonly client: string
  readonly calls: number
}

/**
 * Returns the clients that a brownout to come may hit, by the usage so far: the most calls first.
 * @param notClients counted together.
 */
export function mayBeHit({ rule }: Brownout, usage: readonly UsageRow[], notClients: readonly string[]): CallsByClient {
  // Whether a client is hit takes a hash: once per client, not per row.
  const hit = new Map<string, boolean>(notClients.map((name) => [name, true]))
  const before = new Map<string, number>()
  let others = 0
  for (const { operation, client, calls } of usage) {
    if (!concerns(rule, operation)) continue
    const isConcerned = hit.get(client) ?? mayHit(rule, client)
    hit.set(client, isConcerned)
    if (!isConcerned) continue
    const known = before.get(client)
    if (known === undefined && (before.size >= MOST_LISTED || notClients.includes(client))) others += calls
    else before.set(client, (known ?? 0) + calls)
  }
  return {
    clients: Array.from(before, ([client, calls]) => ({ client, ...NO_CALLS, before: calls })).sort(mostCallsFirst),
    others: { ...NO_CALLS, before: others },
  }
}

const mostCallsFirst = (one: ClientCalls, other: ClientCalls): number => other.before - one.before
