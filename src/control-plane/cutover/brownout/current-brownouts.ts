import { randomUUID } from 'node:crypto'
import type { Brownout } from '../../../planes/decisions.ts'
import { type BrownoutRule, MOST_LISTED } from '../../rollout/brownout-rule.ts'
import type { NewEntry } from '../audit.ts'
import { type BrownoutState, brownoutsOf, latestBegun, stateOf } from './brownout.ts'
import {
  type CallCounter,
  type CallsByClient,
  callCounter,
  type MarkCall,
  mayBeHit,
  NO_CALLS,
  type UsageRow,
} from './client-calls.ts'

/** Tells replicas that someone ended all brownouts. */
export interface BrownoutEnds {
  /** When someone last did, ISO 8601; null if nobody did. Undefined while it is not known: nothing is refused then. Read twice a second. */
  endedAt(): string | null | undefined
  /**
   * Ends all brownouts that have begun, everywhere. Resolves with whether that is kept, so that the other replicas know of it, and this one
   * after a restart. Rejects with a StateError if it cannot be stored now; it is then stored as soon as it can be.
   */
  end(entry: NewEntry): Promise<boolean>
}

/** A brownout that has begun. */
export interface BegunBrownout {
  /** The name under which its calls are counted. */
  readonly key: string
  readonly operations: readonly string[]
  /** ms since the epoch. */
  readonly from: number
}

export interface BrownoutOptions {
  /** The brownouts of the rollout file in effect. The same array until the file changes. */
  readonly rules: () => readonly BrownoutRule[]
  /** If undefined, only this process knows that someone ended them. */
  readonly ends?: BrownoutEnds | undefined
  /** Calls so far by operation and client, and since when they are counted (ms since the epoch): for brownouts to come. */
  readonly usage: () => { readonly since: number; readonly rows: readonly UsageRow[] }
  /** Returns the calls of brownouts, in their order. `isWhole`: false if not all that is stored could be read. */
  readonly counted: (
    begun: readonly BegunBrownout[],
  ) => Promise<{ readonly lists: readonly CallsByClient[]; readonly isWhole: boolean }>
  readonly mark: MarkCall
  /** Names under which the calls of several clients are counted. */
  readonly notClients: readonly string[]
  readonly onNotStored: (error: unknown) => void
  readonly now: () => number
}

/** Who ended all brownouts, and why. */
export interface EndOrder {
  readonly by: string
  readonly why: string
}

export interface Ended extends EndOrder {
  /** ISO 8601. */
  readonly at: string
  /** The numbers of those that were under way. */
  readonly ended: readonly number[]
  /** False if only this process knows of it, until it stops. */
  readonly kept: boolean
}

/** The brownouts of the rollout file, as they are now. */
export interface CurrentBrownouts extends Pick<CallCounter, 'count'> {
  /** Calls that arrive before this time are not refused; ms since the epoch. */
  readonly from: number
  /** Those of the rollout file in effect. */
  readonly all: readonly Brownout[]
  /** Checks whether the rollout file has changed, or someone has ended all brownouts. Call it twice a second. */
  refresh(): void
  /** Ends all that are under way: here at once, on the other replicas as soon as they hear of it. */
  end(order: EndOrder): Promise<Ended>
  report(): Promise<BrownoutsReport>
}

/** Opens the brownouts. */
export function currentBrownouts(options: BrownoutOptions): CurrentBrownouts {
  const { ends, now } = options
  const counter = callCounter(options.mark)
  let brownouts: readonly Brownout[] = []
  let rules: readonly BrownoutRule[] = []
  let endedHere: string | null = null
  let endedAt: string | null = null

  const current = {
    from: Number.POSITIVE_INFINITY,
    get all() {
      return brownouts
    },
    count: counter.count,
    refresh() {
      const stored = ends === undefined ? null : ends.endedAt()
      const latest = later(stored ?? null, endedHere)
      if (options.rules() !== rules || latest !== endedAt) {
        rules = options.rules()
        endedAt = latest
        brownouts = brownoutsOf(rules, endedAt === null ? null : Date.parse(endedAt))
      }
      const at = now()
      counter.watch(brownouts, at)
      current.from =
        stored === undefined
          ? Number.POSITIVE_INFINITY
          : Math.min(...brownouts.filter(({ until }) => until > at).map(({ from }) => from))
    },
    async end({ by, why }: EndOrder) {
      current.refresh()
      const [at, ended] = [now(), underWay()]
      endedHere = new Date(at).toISOString()
      current.refresh()
      const entry: NewEntry = {
        ...{ id: randomUUID(), event: 'brownouts-ended', operation: '*', by, why },
        from: ended.length === 0 ? 'none under way' : `under way: ${ended.join(', ')}`,
        to: 'ended',
        ...{ lineage: '{}', counts: JSON.stringify({ ended: ended.length }) },
      }
      const kept = await (ends?.end(entry) ?? Promise.resolve(false)).catch((error: unknown) => {
        options.onNotStored(error)
        return false
      })
      return { by, why, at: endedHere, ended, kept }
    },
    async report() {
      current.refresh()
      const [at, all, ended] = [now(), brownouts, endedAt]
      const begun = latestBegun(all, at)
      const { lists, isWhole } = await options.counted(begun.map(asked))
      const calls = new Map(begun.map(({ key }, index) => [key, lists[index]]))
      const { since, rows } = options.usage()
      const callsOf = (brownout: Brownout): CallsByClient | undefined =>
        brownout.from > at ? mayBeHit(brownout, rows, options.notClients) : calls.get(brownout.key)
      return {
        ...{ since: new Date(since).toISOString(), endedAt: ended },
        ...(!isWhole && { incomplete: true as const }),
        brownouts: all.map((brownout) => reportBrownout(brownout, at, callsOf(brownout) ?? NOBODY)),
      }
    },
  }
  const underWay = (): readonly number[] =>
    brownouts.filter((brownout) => stateOf(brownout, now()) === 'under way').map(({ n }) => n)
  current.refresh()
  return current
}

const NOBODY: CallsByClient = { clients: [], others: NO_CALLS }

const asked = ({ key, rule: { operations }, from }: Brownout): BegunBrownout => ({ key, operations, from })

/** Returns the later of two times. */
function later(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other
  return Date.parse(one) > Date.parse(other) ? one : other
}

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
const reportBrownout = (brownout: Brownout, now: number, calls: CallsByClient): BrownoutReport => ({
  n: brownout.n,
  ...brownout.rule,
  state: stateOf(brownout, now),
  until: new Date(brownout.until).toISOString(),
  ...calls,
})
