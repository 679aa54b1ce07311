import { Histogram } from '../../../common/histogram.ts'
import type { Answerer } from '../../../exchange/exchange.ts'
import { type Pair, PairCounter } from '../brake/pairs.ts'
import { type RecentAnswers, recentAnswers } from '../brake/recent-answers.ts'
import type { Answered, SideAnswers } from '../position.ts'
import { addAnswered, answeredSince } from '../store/stage-answers.ts'

/** What is counted of an answered call. */
export interface CountedCall {
  readonly operation: string | undefined
  /** `gateway`: it refused the call itself, for example because of its body, so neither side was asked. */
  readonly answeredBy: Answerer
  readonly status: number
  /** What `X-Gateway-Error` says; undefined if nothing failed. */
  readonly failure: string | undefined
  readonly milliseconds: number
  /** How long ago it was answered; ms, 0 if unset. */
  readonly agoMs?: number
  /** The brownout that refused it, so that neither side was asked. */
  readonly brownout?: number | undefined
  /** The client hung up while the side that should answer was asked: after how long, and whether the call is a read. */
  readonly givenUp?: { readonly afterMs: number; readonly isRead: boolean } | undefined
}

/** A call that v1 answered, and that was compared. */
export interface ComparedCall extends Pair {
  readonly operation: string
  /** How long ago it arrived; ms. */
  readonly agoMs: number
}

/** What both sides answered for an operation at its stage; for legacy, at the stage before too. */
export type Evidence = Pick<Answered, 'v1' | 'legacy' | 'pairs'>

/** Counts what this process answers, and adds what others did. */
export interface Counting {
  /** From now on, counts these operations only, each at this stage. Keeps what was counted for others. */
  follow(stages: ReadonlyMap<string, number>): void
  /** Counts a call at the stage at which it arrived, unless its operation is not followed. Returns whether v1 failed. */
  count(call: CountedCall): boolean
  /** Counts how long both sides took for a call, at the stage at which it arrived, unless its operation is not followed. */
  countPair(call: ComparedCall): void
  /** Returns what this process has answered since it started, at each operation's stage and the one before. */
  own(): readonly Answered[]
  /** Returns a number that grows whenever the result of `own` changes. */
  changes(): number
  /** Takes the sums over all processes, and this process's own part of them. */
  heard(all: readonly Answered[], own: readonly Answered[]): void
  /** Returns what all processes answered: the others as last heard, this one up to now. */
  of(operation: string): Evidence
  /** Returns the last calls of this process; undefined if the operation is not followed. */
  recent(operation: string): RecentAnswers | undefined
}

interface Stage {
  readonly stage: number
  /** Calls that arrived earlier belong to the stage before; ms. */
  readonly since: number
  readonly v1: AnswerCounter
  readonly legacy: AnswerCounter
  readonly pairs: PairCounter
  readonly recent: RecentAnswers
}

/** The client hung up: nobody knows what the answer would have been. */
const HUNG_UP = 499
/**
 * A service that a client has waited for this long, and then gave up, has failed the call. Clients often wait for exactly 5 s, and their clocks
 * start a little before the service is asked.
 */
const PATIENCE_MS = 4_800

/** @param monotonic milliseconds of a clock that only goes forward. */
export function counting(monotonic: () => number): Counting {
  /** Each operation's stage and the one before it. */
  const known = new Map<string, readonly [now: Stage, before?: Stage]>()
  let followed: ReadonlyMap<string, number> = new Map()
  let others: readonly Answered[] = []
  let changes = 0

  const ownOf = (operation: string): readonly Answered[] =>
    (known.get(operation) ?? []).flatMap((one) =>
      one === undefined
        ? []
        : [{ operation, stage: one.stage, v1: one.v1.now(), legacy: one.legacy.now(), pairs: one.pairs.now() }],
    )
  /** Returns the stage at which a call counts. */
  const stageAt = (operation: string, arrivedAt: number): Stage => {
    const [now, before = now] = known.get(operation) as readonly [Stage, Stage?]
    return arrivedAt < now.since ? before : now
  }
  return {
    follow(stages) {
      followed = stages
      for (const [operation, stage] of stages) {
        const before = known.get(operation)?.[0]
        if (before?.stage === stage) continue
        const since = before === undefined ? Number.NEGATIVE_INFINITY : monotonic()
        const sides = { v1: new AnswerCounter(), legacy: new AnswerCounter(), pairs: new PairCounter() }
        const now = { stage, since, ...sides, recent: recentAnswers() }
        known.set(operation, before === undefined ? [now] : [now, before])
        changes++
      }
    },
    count(call) {
      const { operation, answeredBy, status, failure, milliseconds, agoMs = 0, brownout } = call
      if (!followed.has(operation as string) || brownout !== undefined || answeredBy === 'gateway') return false
      const hasHung = isWaitedInVain(call)
      if (!hasHung && isBrokenOff(call)) return false
      const at = monotonic() - agoMs
      const stage = stageAt(operation as string, at - milliseconds)
      changes++
      const isFailure =
        hasHung || (status >= 500 && status <= 504 && (answeredBy === 'legacy' || failure !== undefined))
      if (isFailure) stage[answeredBy].failed()
      else stage[answeredBy].succeeded(milliseconds)
      stage.recent.count(answeredBy, { isFailure, milliseconds, at })
      return isFailure && answeredBy === 'v1'
    },
    countPair({ operation, agoMs, ...pair }) {
      if (!followed.has(operation)) return
      const stage = stageAt(operation, monotonic() - agoMs)
      changes++
      stage.pairs.add(pair)
      stage.recent.countPair(pair)
    },
    own: () => [...known.keys()].flatMap(ownOf),
    changes: () => changes,
    heard(all, own) {
      others = all.map((sum) => {
        const part = own.find(({ operation, stage }) => operation === sum.operation && stage === sum.stage)
        if (part === undefined) return sum
        return { ...sum, ...answeredSince(sum, part) }
      })
    },
    recent: (operation) => (followed.has(operation) ? known.get(operation)?.[0].recent : undefined),
    of(operation) {
      const now = followed.get(operation)
      if (now === undefined) return { v1: NO_ANSWERS, legacy: NO_ANSWERS }
      const all = [...ownOf(operation), ...others.filter((one) => one.operation === operation && one.stage <= now)]
      const before = Math.max(...all.map(({ stage }) => stage).filter((stage) => stage < now))
      const { v1, pairs } = addAnswered(all.filter(({ stage }) => stage === now))
      return {
        ...{ v1, pairs },
        legacy: addAnswered(all.filter(({ stage }) => stage >= before)).legacy,
      }
    },
  }
}

/** Whether the client gave up a service that had kept it waiting for too long. Whatever the service answers afterwards comes too late. */
const isWaitedInVain = ({ givenUp }: CountedCall): boolean => givenUp !== undefined && givenUp.afterMs >= PATIENCE_MS

/** Whether the client broke a call off that proves nothing: v1 is no longer asked for a read then, so it counts for neither service. */
const isBrokenOff = ({ status, givenUp }: CountedCall): boolean => status === HUNG_UP || givenUp?.isRead === true

const NO_ANSWERS: SideAnswers = { calls: 0, failures: 0, times: [] }

/** Counts what one side answers. */
class AnswerCounter {
  #calls = 0
  #failures = 0
  readonly #times = new Histogram()

  succeeded(milliseconds: number): void {
    this.#calls++
    this.#times.add(milliseconds)
  }

  failed(): void {
    this.#calls++
    this.#failures++
  }

  now(): SideAnswers {
    return { calls: this.#calls, failures: this.#failures, times: this.#times.counts() }
  }
}
