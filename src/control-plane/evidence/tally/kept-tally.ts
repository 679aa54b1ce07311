import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { within } from '../../../common/promises.ts'
import { attempts } from '../../store/sender.ts'
import { StateError } from '../../store/state-error.ts'
import type { Observation } from '../observation.ts'
import type { ComparedDay } from './compared-days.ts'
import type { OperationReport } from './operation-report.ts'
import type { StateStore } from './state-store.ts'
import { type StoreHealth, storeHealth } from './state-store.ts'
import type { Criteria } from './tally.ts'
import { type ResetOrder, tallyKeeper } from './tally-keeper.ts'

/** A tally that survives restarts. */
export interface KeptTally {
  /** When the results begin, ISO 8601. */
  since(): string
  record(observation: Observation): void
  /** Like `Tally.snapshot`. */
  snapshot(wanted?: (operation: string) => boolean): readonly OperationReport[]
  /** Returns how the calls of each day compared, as far as that is stored, the oldest first. @throws StateError */
  days(): Promise<readonly ComparedDay[]>
  /**
   * Reads the results of other processes, if the store is shared and was last read more than `maxAgeMs` ago. Takes at most `withinMs`
   * (300 ms). While the store fails, returns at once and leaves the results as they are.
   * @returns whether the results of other processes are at most `maxAgeMs` old.
   */
  refresh(maxAgeMs: number, withinMs?: number): Promise<boolean>
  /**
   * Returns the time at which the results of other processes were last read, or if they never were, since when this one counts;
   * ISO 8601. Those of this process are always current.
   */
  asOf(): string
  /**
   * Resets an operation's evidence at once. Resolves when the reset is stored, or after two seconds; then `isStored` is false, and
   * the reset is stored as soon as possible.
   */
  reset(order: ResetOrder): Promise<{ readonly at: string; readonly isStored: boolean }>
  /** Returns whether results are stored, and if not, why. */
  health(): StoreHealth
  /** Stores what is not stored yet, within `graceMs`, and logs how much could not be stored. */
  close(graceMs: number): Promise<void>
}

export interface KeptTallyOptions {
  readonly store: StateStore
  readonly criteria: () => Criteria
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>
  readonly now?: () => Date
  /** Returns milliseconds of a monotonic clock. */
  readonly monotonic?: () => number
  readonly everyMs?: number | undefined
  /** How long startup waits for a store that another process has locked. */
  readonly patienceMs?: number
}

/** The interval at which results are stored. */
const EVERY_MS = 1_000
const PATIENCE_MS = 2_000
/** How long startup waits for a store that does not answer at all. */
const ANSWER_MS = 5_000
/** How long a reset waits for the store. */
const RESET_MS = 2_000
/** How long a reader of results waits for those of other processes. */
const REFRESH_MS = 300
/** The pause between two attempts at startup. */
const RETRY_MS = 50
/** How long closing the store may take. */
const CLOSE_MS = 250

/**
 * Adds new results to the stored ones. Stores in the background: results that cannot be stored stay in
 * memory and are tried again. A store that stays locked at startup is read as soon as possible.
 * @throws StateError if the store cannot be used.
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
  const keeper = tallyKeeper({ store, criteria, now, monotonic, log })
  const health = storeHealth({ now, monotonic, log, store: store.name })

  let isReadWanted = false
  let isClosing = false
  const attempt = async (): Promise<void> => {
    try {
      if (!keeper.isOpen()) await keeper.open()
      await keeper.keep(isClosing)
      if (isReadWanted) await keeper.load()
      isReadWanted = false
      health.succeeded()
    } catch (error) {
      health.failed(error)
    }
  }
  const storing = attempts(attempt, log, 'results could not be stored')
  const storeNow = (): void => {
    health.check()
    void storing.now()
  }

  /** Why the store could not be opened at startup. */
  let lastProblem: unknown
  await openWithin(patienceMs)
  store.onDecided?.(storing.anew)
  const timer = setInterval(storeNow, everyMs).unref()
  return {
    since: keeper.since,
    record: keeper.record,
    snapshot: (wanted) => keeper.whole().snapshot(wanted),
    days: store.days,
    async refresh(maxAgeMs, withinMs = REFRESH_MS) {
      const asked = monotonic()
      if (!store.isShared || asked - keeper.readAt() < maxAgeMs) return true
      if (health.now().failure !== null) return false
      isReadWanted = true
      await within(withinMs, storing.anew())
      return keeper.readAt() >= asked
    },
    asOf() {
      const ageMs = store.isShared ? monotonic() - keeper.readAt() : 0
      return Number.isFinite(ageMs) ? new Date(now().getTime() - ageMs).toISOString() : keeper.since()
    },
    async reset(order) {
      const reset = keeper.reset(order)
      await within(RESET_MS, storing.anew())
      return { at: reset.at, isStored: keeper.hasStored(reset) }
    },
    health: health.now,
    async close(graceMs) {
      clearInterval(timer)
      isClosing = true
      await storing.close(keeper.isStored, graceMs)
      const exchanges = keeper.exchanges()
      const reason = health.now().failure?.reason
      if (exchanges > 0) log.error({ exchanges, reason }, 'results are lost: they could not be stored before the end')
      await store.close(CLOSE_MS)
    },
  }

  /** Opens the store. If it stays busy for `milliseconds`, or does not answer for `ANSWER_MS`, it is opened in the background. */
  async function openWithin(milliseconds: number): Promise<void> {
    let isUnderWay = true
    const opening = openUntil(monotonic() + milliseconds).finally(() => {
      isUnderWay = false
    })
    try {
      await within(ANSWER_MS, opening)
    } catch (error) {
      if (isBusy(error)) return health.failed(error)
      await store.close(CLOSE_MS)
      throw error
    }
    if (!isUnderWay) return
    health.failed(lastProblem ?? new StateError(`${store.name} has not answered for ${ANSWER_MS / 1_000} s`, true))
    void storing.now(() => opening.then(health.succeeded, health.failed))
  }
  async function openUntil(endsAt: number): Promise<void> {
    for (; ; await sleep(RETRY_MS)) {
      try {
        return await keeper.open()
      } catch (error) {
        if (!isBusy(error) || monotonic() >= endsAt) throw error
        lastProblem = error
      }
    }
  }
}

const isBusy = (error: unknown): boolean => error instanceof StateError && error.isBusy
