import type { Plan } from '../../rollout/plan.ts'
import type { Rollout } from '../../rollout/rollout.ts'
import { countsOf, type Facts } from '../audit.ts'
import { allowedFor } from '../brake/brake.ts'
import type { CutoverState, CutoverStore, Decision } from '../cutover-store.ts'
import type { Position, Standing } from '../position.ts'
import { type ComparedCall, type CountedCall, counting } from './counting.ts'
import type { CachedCutover, PositionCache } from './position-cache.ts'
import { knownPositions, type UnstoredStop } from './positions.ts'
import { knownVerdicts, type Verdicts } from './verdicts.ts'

/** What this process knows of all plans, and what it does about them now. All of it is in memory. */
export interface Standings {
  /** Loads the plans of the rollout file in effect. Returns whether the file has changed since the last call. */
  follow(): boolean
  plans(): ReadonlyMap<string, Plan>
  percents(): ReadonlyMap<string, number>
  position(operation: string): Position
  /** Where the store says that a plan stands. */
  stored(operation: string): Position
  /** Returns all that a decision about a plan depends on. */
  of(operation: string, plan: Plan): Standing
  /** Returns why the last calls of this process must trip the brake, in words; undefined if they need not. */
  recentReason(standing: Standing): string | undefined
  facts(operation: string): Facts
  readonly verdicts: Verdicts
  /** Counts a call. Returns whether v1 failed. */
  count(call: CountedCall): boolean
  /** Counts how long both sides took for a call that v1 answered and that was compared. */
  countPair(call: Omit<ComparedCall, 'isSlower'>): void
  /**
   * Stores what was counted, and reads what is stored.
   * @param othersMs how old the sums of other processes may be.
   */
  read(store: Pick<CutoverStore, 'keep' | 'read'>, othersMs: number): Promise<CutoverState>
  recall(cached: CachedCutover): void
  /** As last read, or recalled from the cache; undefined if neither has happened yet. */
  brownoutsEndedAt(): string | null | undefined
  decided(decision: Decision): void
  /** Stops a plan at once in this process, until `settle` says that the stop is stored. */
  stop(stop: UnstoredStop): void
  /** Stops a plan at once in this process, until `stop` or `settle` says what becomes of it. Until then it must not be stored by others. */
  hold(stop: UnstoredStop): void
  /** Returns the stops that must be stored. */
  unstored(): readonly UnstoredStop[]
  isUnstored(operation: string): boolean
  settle(stop: UnstoredStop): void
}

export interface StandingsOptions {
  readonly rollout: () => Rollout
  readonly operations: readonly string[]
  readonly cache: Pick<PositionCache, 'write'>
  readonly now: () => Date
  readonly monotonic: () => number
}

export function standings({ rollout, operations, cache, now, monotonic }: StandingsOptions): Standings {
  const counted = counting(monotonic)
  /** The store's time when it was last read. */
  let clock: { readonly at: number; readonly readAt: number } | undefined
  const storeNow = (): Date =>
    clock === undefined ? now() : new Date(clock.at + Math.max(monotonic() - clock.readAt, 0))
  const positions = knownPositions(storeNow)
  let brownoutsEndedAt: string | null | undefined
  const verdicts = knownVerdicts(monotonic)
  let kept: { readonly own: ReturnType<typeof counted.own>; readonly changes: number } = { own: [], changes: 0 }

  /** When the sums over all processes were last read; ms. */
  let heardAt = Number.NEGATIVE_INFINITY

  let current: Rollout | undefined
  let plans: ReadonlyMap<string, Plan> = new Map()
  let percents: ReadonlyMap<string, number> = new Map()
  const isAhead = ({ operation, stage }: Pick<Position, 'operation' | 'stage'>): boolean =>
    stage > positions.stored(operation).stage
  /** Puts changes into effect. */
  const update = (): void => {
    const known = [...plans.keys()].map((operation) => positions.of(operation))
    percents = new Map(known.map(({ operation, percent }) => [operation, percent]))
    counted.follow(new Map(known.map(({ operation, stage }) => [operation, stage])))
    if (plans.size === 0 && (brownoutsEndedAt ?? null) === null) return
    cache.write({ positions: positions.all(), stops: positions.unstored(), brownoutsEndedAt })
  }
  const updating =
    <Args extends readonly unknown[]>(change: (...args: Args) => void) =>
    (...args: Args): void => {
      change(...args)
      update()
    }
  return {
    follow() {
      const now = rollout()
      if (now === current) return false
      current = now
      plans = plansOf(now, operations)
      update()
      return true
    },
    plans: () => plans,
    percents: () => percents,
    position: positions.of,
    stored: positions.stored,
    of: (operation, plan) => ({
      ...{ position: positions.of(operation), plan, verdict: verdicts.of(operation)?.verdict ?? 'insufficient data' },
      ...{ isFresh: verdicts.isFresh(operation), ...counted.of(operation), now: storeNow() },
    }),
    recentReason: ({ position, plan, legacy }) =>
      position.percent === 0 ? undefined : counted.recent(position.operation)?.brakeReason(plan.brake, legacy),
    facts: (operation) => ({
      lineage: verdicts.of(operation)?.lineage,
      counts: countsOf(counted.of(operation)),
    }),
    verdicts,
    count: counted.count,
    countPair(call) {
      const plan = plans.get(call.operation)
      if (plan === undefined) return
      counted.countPair({ ...call, isSlower: call.v1 > allowedFor(call.legacy, plan.brake.slowdown) })
    },
    async read(store, othersMs) {
      const changes = counted.changes()
      if (changes !== kept.changes) {
        const own = counted.own()
        await store.keep(own)
        // What was answered since a stop that is not stored yet counts only once it is, so it is sent again.
        kept = { own, changes: own.some(isAhead) ? Number.NaN : changes }
      }
      const state = await store.read(monotonic() - heardAt >= othersMs)
      clock = { at: Date.parse(state.now), readAt: monotonic() }
      if (state.answered !== undefined) {
        counted.heard(state.answered, kept.own)
        heardAt = monotonic()
      }
      positions.read(state.positions)
      brownoutsEndedAt = state.brownoutsEndedAt
      update()
      return state
    },
    recall: updating((cached: CachedCutover) => {
      positions.read(cached.positions)
      brownoutsEndedAt = cached.brownoutsEndedAt
      for (const stop of cached.stops) positions.stop(stop)
    }),
    brownoutsEndedAt: () => brownoutsEndedAt,
    decided: updating(positions.decided),
    stop: updating(positions.stop),
    hold: updating(positions.hold),
    unstored: positions.unstored,
    isUnstored: positions.isUnstored,
    settle: updating(positions.settle),
  }
}

const plansOf = (rollout: Rollout, operations: readonly string[]): ReadonlyMap<string, Plan> =>
  new Map(
    operations.flatMap((operation) => {
      const { plan } = rollout.of(operation)
      return plan === undefined ? [] : [[operation, plan] as const]
    }),
  )
