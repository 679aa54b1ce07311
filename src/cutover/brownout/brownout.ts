import { hash } from 'node:crypto'
import type { BrownoutRule } from '../../compare/rollout/brownout-rule.ts'
import { brownoutKey } from '../../compare/rollout/brownout-rule.ts'

/** A brownout of the rollout file, with its times as numbers. */
export interface Brownout {
  /** Its number in the rollout file, from 1. */
  readonly n: number
  /** Its name in the usage. */
  readonly key: string
  readonly rule: BrownoutRule
  /** ms since the epoch. */
  readonly from: number
  /** When it ends: as its rule says, or earlier if someone ended it; ms since the epoch. */
  readonly until: number
}

/** `ended`: someone ended it before its time. */
export type BrownoutState = 'to come' | 'under way' | 'over' | 'ended'

/** A call that may be refused. */
export interface ConcernedCall {
  readonly operation: string
  /** Named as in the rollout file. */
  readonly client: string
  /** When it arrived; ms since the epoch. */
  readonly now: number
  /** Draws a random number from 0 up to 100. Called only where a share of all calls is refused. */
  readonly place: () => number
}

const EVERYTHING = '*'

/** Reads the brownouts of a rollout file. @param endedAt when someone ended all that had begun; null if nobody did. */
export function brownoutsOf(rules: readonly BrownoutRule[], endedAt: number | null): readonly Brownout[] {
  return rules.map((rule, index) => {
    const [from, to] = [Date.parse(rule.from), Date.parse(rule.to)]
    const isEnded = endedAt !== null && from <= endedAt && endedAt < to
    return { n: index + 1, key: brownoutKey(rule), rule, from, until: isEnded ? endedAt : to }
  })
}

/** Of earlier ones, calls are neither counted nor shown. */
const MOST_BEGUN = 50

/** Returns the brownouts that have begun by a time, the 50 latest at most. */
export const latestBegun = (brownouts: readonly Brownout[], now: number): readonly Brownout[] =>
  brownouts
    .filter(({ from }) => from <= now)
    .sort((one, other) => one.from - other.from)
    .slice(-MOST_BEGUN)

/** Returns the brownout that refuses a call, the first in the file if there are several; undefined if none does. */
export function brownoutOf(brownouts: readonly Brownout[], call: ConcernedCall): Brownout | undefined {
  return brownouts.find(
    (brownout) =>
      call.now >= brownout.from &&
      call.now < brownout.until &&
      concerns(brownout.rule, call.operation) &&
      !brownout.rule.except.includes(call.client) &&
      (brownout.rule.of === 'clients' ? isChosen(brownout.rule, call.client) : call.place() < brownout.rule.percent),
  )
}

/** Whether a brownout concerns this operation. */
export const concerns = ({ operations }: BrownoutRule, operation: string): boolean =>
  operations.includes(operation) || operations.includes(EVERYTHING)

/** Whether a brownout may refuse calls of a client: all of them (`of: clients`), or some (`of: calls`). */
export const mayHit = (rule: BrownoutRule, client: string): boolean =>
  !rule.except.includes(client) && (rule.of === 'calls' || isChosen(rule, client))

/** Whether a brownout of clients has chosen this one. Each brownout chooses different clients; all replicas choose the same. */
const isChosen = (rule: BrownoutRule, client: string): boolean => placeIn(rule, client) < rule.percent

/**
 * Returns a number from 0 up to 100 that is fixed for a client and a brownout, and evenly spread over clients. It is independent of
 * the place that `v1Percent` goes by, so that the same clients are not always the first.
 */
function placeIn({ from, operations }: BrownoutRule, client: string): number {
  const text = JSON.stringify([from, operations, client])
  return (hash('sha256', text, 'buffer').readUInt32BE(0) / 2 ** 32) * 100
}

/** Returns where a brownout stands at a time, in ms since the epoch. */
export function stateOf({ rule, from, until }: Brownout, now: number): BrownoutState {
  if (now < from) return 'to come'
  if (now < until) return 'under way'
  return until < Date.parse(rule.to) ? 'ended' : 'over'
}
