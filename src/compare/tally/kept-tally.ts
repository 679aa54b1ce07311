import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Observation, Outcome } from '../observe-exchange.ts'
import { isTrusted, leapInWords } from './clock-agreement.ts'
import type { OperationReport } from './operation-report.ts'
import { countPortions } from './portions.ts'
import { StateError, type StateStore } from './state-store.ts'
import { type StoreHealth, storeHealth } from './store-health.ts'
import type { Criteria } from './tally.ts'
import { tallyKeeper } from './tally-keeper.ts'

/** Results that survive a restart. */
export interface KeptTally {
  /** When they begin; ISO 8601. */
  since(): string
  record(observation: Observation): Outcome
  snapshot(): readonly OperationReport[]
  /** What `Tally.reports` gives. */
  reports(): Iterable<OperationReport>
  /** What is wrong with storing them. */
  health(): ResultsHealth
  /** Stores what is not stored yet, for `graceMs` at most, and tells in the log how much could not be. */
  close(graceMs: number): Promise<void>
}

export interface ResultsHealth extends StoreHealth {
  /** How far the clock leapt, for as long as nothing is deleted by it: `100 days ahead of`; null: it is trusted. */
  readonly clock: string | null
}

export interface KeptTallyOptions {
  readonly store: StateStore
  readonly criteria: () => Criteria
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>
  readonly now?: () => Date
  /** Milliseconds of a clock that only goes forward. */
  readonly monotonic?: () => number
  readonly everyMs?: number
  /** How long a start waits for a store that another has locked. */
  readonly patienceMs?: number
}

/** Results are stored once a second. */
const EVERY_MS = 1_000
const PATIENCE_MS = 2_000
/** Between two tries when the gateway starts or stops. */
const RETRY_MS = 50
/** A store that hangs is waited for so long when the grace is over. */
const LEAST_MS = 250

/**
 * Adds up what is stored and what is recorded from now on, and stores it by day. Nobody waits for that: what cannot be stored
 * is kept in memory and tried again. A store that stays locked at the start is read when it can be.
 * @throws StateError when the store cannot be used.
 */
export async function keptTally({
  store,
  criteria,
  log,
  now = () => new Date(),
  monotonic = () => performance.now(),
  everyMs = EVERY_MS,
  patienceMs = PATIENCE_MS,
}: KeptTallyOptions): Promise<KeptTally> {
  const portions = countPortions(criteria)
  const keeper = tallyKeeper({ store, portions, criteria, now, monotonic, log })
  const health = storeHealth({ now, monotonic, log, store: store.name })

  const turn = async (): Promise<void> => {
    try {
      if (!keeper.isOpen()) await keeper.open()
      await keeper.keep()
      health.works()
    } catch (error) {
      health.fails(error)
    }
  }
  let turning: Promise<void> | undefined
  const takeTurn = (): Promise<void> => {
    health.look()
    turning ??= turn().finally(() => {
      turning = undefined
    })
    return turning
  }

  await openWithin(patienceMs)
  const timer = setInterval(takeTurn, everyMs).unref()
  return {
    since: keeper.since,
    record(observation) {
      portions.record(observation)
      return keeper.whole().record(observation)
    },
    snapshot: () => keeper.whole().snapshot(),
    reports: () => keeper.whole().reports(),
    health() {
      const clock = keeper.clock.now()
      return { ...health.now(), clock: isTrusted(clock) ? null : leapInWords(clock.leapMs) }
    },
    async close(graceMs) {
      clearInterval(timer)
      const endsAt = monotonic() + graceMs
      const orTimeOut = (work: Promise<void> | undefined): Promise<void> =>
        Promise.race([work, sleep(Math.max(endsAt - monotonic(), LEAST_MS), undefined, { ref: false })])
      await orTimeOut(turning)
      await orTimeOut(takeTurn())
      while (portions.exchanges() > 0 && monotonic() < endsAt) {
        await sleep(RETRY_MS)
        await orTimeOut(takeTurn())
      }
      const exchanges = portions.exchanges()
      const reason = health.now().failure?.reason
      if (exchanges > 0) log.error({ exchanges, reason }, 'results are lost: they could not be stored before the end')
      await store.close(LEAST_MS)
    },
  }

  async function openWithin(milliseconds: number): Promise<void> {
    for (const endsAt = monotonic() + milliseconds; ; await sleep(RETRY_MS)) {
      try {
        return await keeper.open()
      } catch (error) {
        if (!(error instanceof StateError && error.isBusy)) {
          await store.close(LEAST_MS)
          throw error
        }
        if (monotonic() < endsAt) continue
        return health.fails(error)
      }
    }
  }
}
