import { randomUUID } from 'node:crypto'
import type { BrownoutRule } from '../../compare/rollout/brownout-rule.ts'
import type { NewEntry } from '../event.ts'
import { type Brownout, brownoutOf, brownoutsOf, stateOf } from './brownout.ts'
import { type BrownoutClients, brownoutClients, type UsageRow } from './brownout-clients.ts'
import { type BrownoutsReport, reportBrownouts } from './brownout-report.ts'

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

export interface BrownoutOptions {
  /** The brownouts of the rollout file in effect. The same array until the file changes. */
  readonly rules: () => readonly BrownoutRule[]
  /** If undefined, only this process knows that someone ended them. */
  readonly ends?: BrownoutEnds | undefined
  /** Calls so far by operation and client, and since when they are counted (ms since the epoch). */
  readonly usage: () => { readonly since: number; readonly rows: readonly UsageRow[] }
  /** Names under which the calls of several clients are counted. */
  readonly notClients: readonly string[]
  readonly onNotStored: (error: unknown) => void
  readonly now: () => number
  /** Returns a number from 0 up to 1. */
  readonly random: () => number
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
export interface CurrentBrownouts extends Pick<BrownoutClients, 'count'> {
  /** Calls that arrive before this time are not refused; ms since the epoch. */
  readonly from: number
  /** Returns the brownout that refuses a call; undefined if none does. */
  of(
    operation: string,
    client: string,
    now: number,
  ): { readonly n: number; readonly status: number; readonly until: number } | undefined
  /** Checks whether the rollout file has changed, or someone has ended all brownouts. Call it twice a second. */
  refresh(): void
  /** Ends all that are under way: here at once, on the other replicas as soon as they hear of it. */
  end(order: EndOrder): Promise<Ended>
  report(): BrownoutsReport
}

/** Opens the brownouts. */
export function currentBrownouts(options: BrownoutOptions): CurrentBrownouts {
  const { ends, now, random } = options
  const clients = brownoutClients(() => options.usage().rows, options.notClients)
  let brownouts: readonly Brownout[] = []
  let rules: readonly BrownoutRule[] = []
  let endedHere: string | null = null
  let endedAt: string | null = null
  const place = (): number => random() * 100

  const current = {
    from: Number.POSITIVE_INFINITY,
    of(operation: string, client: string, at: number) {
      const found = brownoutOf(brownouts, { operation, client, now: at, place })
      return found && { n: found.n, status: found.rule.status, until: found.until }
    },
    count: clients.count,
    refresh() {
      const stored = ends === undefined ? null : ends.endedAt()
      const latest = later(stored ?? null, endedHere)
      if (options.rules() !== rules || latest !== endedAt) {
        rules = options.rules()
        endedAt = latest
        brownouts = brownoutsOf(rules, endedAt === null ? null : Date.parse(endedAt))
        clients.watch(brownouts)
      }
      const at = now()
      clients.begin(at)
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
    report() {
      current.refresh()
      return reportBrownouts(brownouts, { now: now(), endedAt, clients, usage: options.usage() })
    },
  }
  const underWay = (): readonly number[] =>
    brownouts.filter((brownout) => stateOf(brownout, now()) === 'under way').map(({ n }) => n)
  current.refresh()
  return current
}

/** Returns the later of two times. */
function later(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other
  return Date.parse(one) > Date.parse(other) ? one : other
}
