import type { BrownoutRule } from '../../compare/rollout/brownout-rule.ts'
import { type Brownout, type BrownoutState, stateOf } from './brownout.ts'
import type { BrownoutClients, CallsByClient, UsageRow } from './brownout-clients.ts'

/** A brownout as `GET /brownouts` shows it. */
export interface BrownoutReport extends BrownoutRule, CallsByClient {
  /** Its number in the rollout file, from 1; the header `X-Gateway-Brownout` has it. */
  readonly n: number
  readonly state: BrownoutState
  /** When it ends, ISO 8601: at `to`, or earlier if someone ended it. */
  readonly until: string
}

export interface BrownoutsReport {
  /** Since when calls are counted by client, ISO 8601. Earlier calls are not known. */
  readonly since: string
  /** When someone last ended all brownouts, ISO 8601; null if nobody did. */
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

/** Reports all brownouts. For those to come, `clients` are the clients they may hit. */
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
