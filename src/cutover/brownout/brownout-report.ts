import type { BrownoutRule } from '../../compare/rollout/brownout-rule.ts'
import { type Brownout, type BrownoutState, stateOf } from './brownout.ts'
import type { BrownoutClients, CallsByClient, UsageRow } from './brownout-clients.ts'

/** A brownout as `GET /brownouts` shows it. */
export interface BrownoutReport extends BrownoutRule, CallsByClient {
  /** Its number in the rollout file, from 1; the header `X-Gateway-Brownout` has it. */
  readonly n: number
  readonly state: BrownoutState
  /** When it is over, ISO 8601: `to`, or earlier if somebody ended it. */
  readonly until: string
}

export interface BrownoutsReport {
  /** Since when calls are counted by client, ISO 8601. What was before is not known. */
  readonly since: string
  /** When somebody last ended all brownouts, ISO 8601; null: nobody did. */
  readonly endedAt: string | null
  /** In the order of the rollout file. */
  readonly brownouts: readonly BrownoutReport[]
}

/** What a report is made of. */
interface Known {
  readonly now: number
  readonly endedAt: string | null
  readonly clients: BrownoutClients
  readonly usage: { readonly since: number; readonly rows: readonly UsageRow[] }
}

/** Reports all brownouts: of those to come `clients` are whom they may hit. */
export function reportBrownouts(
  brownouts: readonly Brownout[],
  { now, endedAt, clients, usage }: Known,
): BrownoutsReport {
  return {
    since: new Date(usage.since).toISOString(),
    endedAt,
    brownouts: brownouts.map((brownout) => ({
      n: brownout.n,
      ...brownout.rule,
      state: stateOf(brownout, now),
      until: new Date(brownout.until).toISOString(),
      ...clients.of(brownout, usage.rows),
    })),
  }
}
