import type { Logger } from 'pino'
import type { Plan } from '../compare/rollout/plan.ts'
import { StateError } from '../state/state-error.ts'
import { brakeWatch } from './brake-watch.ts'
import { carryOut } from './carry-out.ts'
import type { CountedCall } from './counting.ts'
import type { AuditQuery, CutoverLease, CutoverStore, Decision } from './cutover-store.ts'
import { decisionOf } from './decision-of.ts'
import type { AuditEntry, NewEntry } from './event.ts'
import type { Move } from './move.ts'
import { stopMove } from './moves.ts'
import type { Order, Ordered } from './order.ts'
import { outlookOf } from './outlook.ts'
import { messageOf, ownEntries } from './own-entries.ts'
import type { Position } from './position.ts'
import type { PositionCache } from './position-cache.ts'
import type { CutoverReport } from './report.ts'
import { reportOf } from './report-of.ts'
import { type StandingsOptions, standings } from './standings.ts'
import { turns } from './turns.ts'
import { type Judged, newDifferences } from './verdict-watch.ts'

/** Moves operations from the legacy service to v1 by their plans, and back when v1 fails. */
export interface Cutover {
  /** Returns the percentage of clients that v1 answers; undefined: the operation has no plan. */
  percentOf(operation: string): number | undefined
  /** Counts an answered call. The brake goes on within this call, or 100 ms later. */
  count(call: CountedCall): void
  /** Returns where each plan stands, in the order of the operations. */
  reports(): readonly CutoverReport[]
  /** Carries out an order. Takes 5 s at most, and never rejects because of the store. */
  order(order: Order): Promise<Ordered>
  /** Returns entries of the audit, newest first. Rejects with a StateError. */
  audit(query: AuditQuery): Promise<readonly AuditEntry[]>
  /** Adds an entry to the audit, and tells it to `WEBHOOK_URL`, as soon as the store can be used. */
  note(entry: NewEntry, message?: Decision['message']): void
  /** What each replica says of itself: the percentage of each operation with a plan; null: none has one. */
  percents(): Readonly<Record<string, number>> | null
  /** The brownouts that began before this time are over; ISO 8601, null: nobody ended any. */
  brownoutsEndedAt(): string | null
  /** Ends all brownouts that have begun, everywhere. Rejects with a StateError. */
  endBrownouts(entry: NewEntry): Promise<void>
  /** Returns how often this process put the brake on since its start, by operation. */
  brakes(): ReadonlyMap<string, number>
  /** Does now what happens each second: stores what was counted, reads what others decided, and decides. */
  turn(): Promise<void>
  /** Stores what was counted last, within so many ms. */
  close(graceMs: number): Promise<void>
}

export interface ConductorOptions extends Omit<StandingsOptions, 'cache'> {
  readonly store: CutoverStore
  /** Judges operations beside the calls, in slices. */
  readonly judge: (operations: ReadonlySet<string>) => Promise<readonly Judged[]>
  readonly cache: PositionCache
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>
  readonly newId: () => string
  readonly everyMs?: number
}

/** How often to store, read and decide. A step must be in effect everywhere within two seconds. */
const EVERY_MS = 1_000
/** How often to judge: the reports of large results take some milliseconds each. */
const JUDGE_MS = 3_000
/** While calls fail, the brake is checked so often. */
const FAILED_MS = 100
/** How long a start waits for the store. */
const START_MS = 2_000
/** How long somebody who gives an order waits for it. */
const ORDER_MS = 5_000

/** Resolves when the positions are known: from the store or, while it does not answer, from the cache. */
export async function conductor(options: ConductorOptions): Promise<Cutover> {
  const { store, rollout, judge, cache, log, newId, monotonic, everyMs = EVERY_MS } = options
  const known = standings(options)
  const storing = turns(log)
  const entries = ownEntries(log)
  const brakes = new Map<string, number>()

  const logMove = (move: Move, by: string, { operation, percent }: Position): void => {
    const { event, to, why } = move
    const line = { operation, event, by, from: percent, to: to.percent, state: to.state, why }
    log[event === 'braked' ? 'warn' : 'info'](line, 'a plan has moved')
  }
  /** Stops a plan here, at once. It is stored as soon as it can be. */
  const stop = (operation: string, by: string, move: Move): void => {
    logMove(move, by, known.position(operation))
    if (move.event === 'braked') brakes.set(operation, (brakes.get(operation) ?? 0) + 1)
    known.stop({ id: newId(), operation, by, move, facts: known.facts(operation) })
  }
  /** Operations of which the log said that they cannot be judged. */
  const unjudged = new Set<string>()
  /** What fails for one plan must not keep the others from their brakes, nor break the call that asked. */
  const cannotJudge = (operation: string, error: unknown): void => {
    if (!unjudged.has(operation)) log.error({ err: error, operation }, 'a plan cannot be judged: it stays where it is')
    unjudged.add(operation)
  }
  const checkBrake = (operation: string): void => {
    try {
      brakeIfNeeded(operation)
    } catch (error) {
      cannotJudge(operation, error)
    }
  }
  const brakeIfNeeded = (operation: string): void => {
    const plan = known.plans().get(operation)
    if (plan === undefined || known.isUnstored(operation)) return
    const standing = known.of(operation, plan)
    const { move } = outlookOf(standing)
    const recent = known.recentReason(standing)
    if (move?.event === 'braked') stop(operation, 'auto', move)
    else if (recent !== undefined) stop(operation, 'auto', stopMove('braked', recent))
    else return
    void turn()
  }
  const watch = brakeWatch(checkBrake, { everyMs: FAILED_MS, monotonic })

  const read = async (): Promise<void> => {
    await known.read(store)
  }
  /** Stores a decision and puts it into effect. Returns false if the position has moved on meanwhile. */
  const decide = async (decision: Decision, lease?: CutoverLease): Promise<boolean> => {
    if ((await store.decide(decision, lease)) === 'stale') return false
    known.decided(decision)
    return true
  }
  const storeStops = async (): Promise<void> => {
    for (const one of known.unstored()) {
      const { operation, move, by, id, facts } = one
      // Stale: `read` stops it where it is now, and the next turn stores that.
      if (await decide(decisionOf(known.stored(operation), move, by, id, facts))) known.settle(one)
      else await read()
    }
  }
  /** Takes the steps that are due, if this process holds the lease. */
  const decideAll = async (): Promise<void> => {
    const lease = known.plans().size === 0 ? undefined : await store.lease()
    if (lease === undefined) return
    for (const [operation, plan] of known.plans()) {
      try {
        await decideOne(operation, plan, lease)
        unjudged.delete(operation)
      } catch (error) {
        if (error instanceof StateError) throw error
        cannotJudge(operation, error)
      }
    }
  }
  const decideOne = async (operation: string, plan: Plan, lease: CutoverLease): Promise<void> => {
    const standing = known.of(operation, plan)
    const { move } = outlookOf(standing)
    if (move === undefined || known.isUnstored(operation)) return
    if (move.event === 'braked') return stop(operation, 'auto', move)
    // Until it is judged, nobody knows that its verdict is not `not ready`.
    if (!known.isJudged(operation)) return
    const decision = decisionOf(standing.position, move, 'auto', newId(), known.facts(operation))
    if (await decide(decision, lease)) logMove(move, 'auto', standing.position)
  }
  const isNeeded = (): boolean =>
    known.plans().size > 0 || rollout().brownouts.length > 0 || !entries.isEmpty() || known.unstored().length > 0
  let waiting: Promise<void> | undefined
  /** One that waits for its turn is enough. */
  const turn = (): Promise<void> => {
    known.follow()
    if (!isNeeded()) return Promise.resolve()
    waiting ??= storing
      .take(async () => {
        waiting = undefined
        await storeStops()
        await read()
        await entries.store(store)
        await decideAll()
        await storeStops()
      })
      // It was told already, and is tried again. What others found meanwhile is not known yet.
      .catch(() => known.distrust())
    return waiting
  }

  const note: Cutover['note'] = (entry, message) => {
    entries.add(entry, message)
    void turn()
  }
  let judgedAt = Number.NEGATIVE_INFINITY
  let isJudging = false
  const judgeAll = async (): Promise<void> => {
    if (known.plans().size === 0 || isJudging || monotonic() - judgedAt < JUDGE_MS) return
    isJudging = true
    try {
      const operations = new Set(known.plans().keys())
      const all = await judge(operations)
      const entries = all.flatMap((one) => newDifferences(known.judged(one.operation), one))
      known.judge(operations, all)
      for (const entry of entries) note(entry, messageOf(entry))
    } catch (error) {
      log.error({ err: error }, 'plans could not be judged')
    }
    judgedAt = monotonic()
    isJudging = false
  }
  const second = (): void => {
    if (known.follow()) void turn()
    for (const operation of known.plans().keys()) checkBrake(operation)
    void judgeAll()
    void turn()
  }

  const ordered = async (order: Order, plan: Plan, isGivenUp: () => boolean): Promise<Ordered> => {
    const { operation, by, version } = order
    for (let isLast = version !== undefined; ; isLast = true) {
      await read()
      const standing = known.of(operation, plan)
      const { position } = standing
      if (version !== undefined && version !== position.version) return stale(position)
      const move = carryOut(order, standing)
      if ('refused' in move) return { refused: 'refused', message: move.refused }
      if (isGivenUp()) return unavailable()
      if (await decide(decisionOf(position, move, by, newId(), known.facts(operation)))) {
        logMove(move, by, position)
        return { done: known.position(operation) }
      }
      if (isLast) {
        await read()
        return stale(known.position(operation))
      }
    }
  }
  /** Stops a plan by hand: here at once, and everywhere as soon as that is stored. */
  const stopped = async (order: Order, plan: Plan): Promise<Ordered> => {
    const { operation, by, version } = order
    const standing = known.of(operation, plan)
    if (version !== undefined && version !== standing.position.version) return stale(standing.position)
    const move = carryOut(order, standing)
    if ('refused' in move) return { refused: 'refused', message: move.refused }
    stop(operation, by, move)
    await within(ORDER_MS, turn())
    const done = known.position(operation)
    return { done: known.isUnstored(operation) ? { ...done, why: done.why + NOT_STORED } : done }
  }

  const cached = await cache.read()
  if (cached !== undefined) known.recall(cached)
  await within(START_MS, turn())
  store.onDecided(() => void turn())
  // The first step need not wait for the first second.
  void judgeAll().then(turn)
  const timer = setInterval(second, everyMs).unref()
  return {
    percentOf(operation) {
      if (known.follow()) void turn()
      return known.percents().get(operation)
    },
    count(call) {
      if (known.count(call)) watch.failed(call.operation as string)
    },
    reports() {
      known.follow()
      return Array.from(known.plans(), ([operation, plan]) => {
        const report = reportOf(known.of(operation, plan))
        return known.isUnstored(operation) ? { ...report, why: report.why + NOT_STORED } : report
      })
    },
    async order(order) {
      known.follow()
      const plan = known.plans().get(order.operation)
      if (plan === undefined) {
        return { refused: 'unknown', message: `${order.operation} has no plan in the rollout file` }
      }
      if (order.action === 'stop') return stopped(order, plan)
      let isGivenUp = false
      try {
        const outcome = await within(
          ORDER_MS,
          storing.take(() => ordered(order, plan, () => isGivenUp)),
        )
        return outcome ?? unavailable()
      } catch (error) {
        if (!(error instanceof StateError)) throw error
        return unavailable(error.message)
      } finally {
        isGivenUp = true
      }
    },
    audit: (query) => store.audit(query),
    note,
    percents: () => (known.percents().size === 0 ? null : Object.fromEntries(known.percents())),
    brownoutsEndedAt: known.brownoutsEndedAt,
    async endBrownouts(entry) {
      await storing.take(async () => {
        await store.endBrownouts(entry)
        await read()
      })
    },
    brakes: () => brakes,
    turn,
    async close(graceMs) {
      clearInterval(timer)
      watch.close()
      await within(graceMs, turn())
      await within(graceMs, cache.close())
    },
  }
}

const NOT_STORED = ' (not stored yet: STATE_DB cannot be used)'

const stale = ({ operation, version, state, percent }: Position): Ordered => ({
  refused: 'stale',
  message: `${operation} has moved on: it is ${state} at ${percent} %, version ${version}`,
})

const unavailable = (reason = `STATE_DB has not answered for ${ORDER_MS / 1_000} s`): Ordered => ({
  refused: 'unavailable',
  message: `${reason}; look whether the plan has moved before you order it again`,
})

/** Waits for work, so many ms at most; undefined: it takes longer. It goes on. */
async function within<Result>(milliseconds: number, work: Promise<Result>): Promise<Result | undefined> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, milliseconds, undefined)
  })
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer))
}
