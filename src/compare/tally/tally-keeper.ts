import type { Logger } from 'pino'
import type { Portions } from './portions.ts'
import { type KeptCounts, StateError, StateLost, type StateStore, type Whereabouts } from './state-store.ts'
import { type Criteria, createTally, type Tally } from './tally.ts'
import { type ClockWatch, watchClock } from './watch-clock.ts'

/** Takes a tally to a store and back, a step at a time. Each step rejects with a StateError when the store does not do it. */
export interface TallyKeeper {
  /** When the results begin; ISO 8601. */
  since(): string
  /** All that is known: what was stored, and what was recorded here since. */
  whole(): Tally
  readonly clock: ClockWatch
  /** Opens the store once, and reads it. */
  open(): Promise<void>
  isOpen(): boolean
  /** Stores what is not stored yet, and lets go of what is too old. */
  keep(): Promise<void>
}

export interface TallyKeeperOptions {
  readonly store: StateStore
  readonly portions: Portions
  readonly criteria: () => Criteria
  readonly now: () => Date
  readonly monotonic: () => number
  readonly log: Pick<Logger, 'info' | 'warn'>
}

/** Older results are forgotten. */
const RETENTION_DAYS = 90
const DAY_MS = 86_400_000

export function tallyKeeper({ store, portions, criteria, now, monotonic, log }: TallyKeeperOptions): TallyKeeper {
  const clock = watchClock({ now, monotonic, log })
  let since = now().toISOString()
  let isOpen = false
  let whole = createTally(criteria)
  /** Days before this one are forgotten. */
  let forgotten: string | undefined
  /** What became of what was stored before, where it is no longer there. */
  let lost: keyof typeof FOUND | undefined

  /** Reads what is stored anew: other processes may have added to it. */
  const load = async (): Promise<void> => {
    const all = createTally(criteria)
    let kept: KeptCounts | undefined
    do {
      kept = await store.read(kept)
      if (kept !== undefined) all.importCounts([kept.counts])
    } while (kept !== undefined)
    all.importCounts(portions.unstored())
    whole = all
  }
  /** The clock goes on while the store works: only the time that was looked at is known to be trusted. */
  const day = (daysAgo = 0): string => dayOf(clock.now().seenAt - daysAgo * DAY_MS)
  const forget = async (): Promise<boolean> => {
    const before = day(RETENTION_DAYS)
    if (before === forgotten || !clock.isTrusted()) return false
    await store.forgetBefore(before)
    forgotten = before
    return true
  }
  const storePortion = async (): Promise<Whereabouts> => {
    const portion = portions.next(day())
    try {
      return await store.keep({ portion, clock: portion === undefined ? clock.due() : clock.now() })
    } catch (error) {
      if (!(error instanceof StateLost)) throw error
      lost = error.isEmpty ? 'begun anew' : 'lost'
      if (error.isEmpty) portions.beginAnew(since, day(), whole.exportCounts())
      else portions.insist(since)
      return storePortion()
    }
  }
  return {
    since: () => since,
    whole: () => whole,
    clock,
    isOpen: () => isOpen,
    async open() {
      const opened = await store.open(now())
      since = opened.since
      clock.begin(opened.clock)
      // What is too old is deleted later, where somebody else is writing now.
      await forget().catch((error) => {
        if (!(error instanceof StateError && error.isBusy)) throw error
      })
      await load()
      isOpen = true
    },
    async keep() {
      clock.look()
      const where = await storePortion()
      portions.stored()
      const found = where === 'there' ? lost : where
      lost = undefined
      if (found !== undefined) log.warn({ file: store.name }, FOUND[found])
      if ((await forget()) || (found !== undefined && found !== 'begun anew')) await load()
    },
  }
}

const FOUND = {
  'begun anew': 'the state was removed: it is begun anew, with all that is known',
  another: 'the state was replaced: from now on results are added to what is there',
  lost: 'the state is another one, or an older one: what was stored meanwhile is not in it',
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
