import { type BrownoutRule, MOST_LISTED } from '../../compare/rollout/brownout-rule.ts'
import { type Brownout, type BrownoutState, stateOf } from './brownout.ts'
import type { CallsByClient } from './client-calls.ts'

/** A brownout as `GET /brownouts` shows it. */
export interface BrownoutReport extends BrownoutRule, CallsByClient {
  /** Its number in the rollout file, from 1; the header `X-Gateway-Brownout` has it. */
  readonly n: number
  readonly state: BrownoutState
  /** When it ends, ISO 8601: at `to`, or earlier if someone ended it. */
  readonly until: string
}

export interface BrownoutsReport {
  /** Since when the calls are counted that say whom brownouts to come may hit; ISO 8601. */
  readonly since: string
  /** When someone last ended all brownouts, ISO 8601; null if nobody did. */
  readonly endedAt: string | null
  /** Set while `STATE_DB` cannot be read: calls of brownouts that have begun are those of the last reading, and those not stored since. */
  readonly incomplete?: true
  /** In the order of the rollout file. */
  readonly brownouts: readonly BrownoutReport[]
}

/** Whether there may be more clients than a report lists. */
export const isCut = ({ clients }: Pick<BrownoutReport, 'clients'>): boolean => clients.length >= MOST_LISTED

/** Reports a brownout as it is at a time. */
export const reportBrownout = (brownout: Brownout, now: number, calls: CallsByClient): BrownoutReport => ({
  n: brownout.n,
  ...brownout.rule,
  state: stateOf(brownout, now),
  until: new Date(brownout.until).toISOString(),
  ...calls,
})
