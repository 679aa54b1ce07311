import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Logger } from 'pino'
import { DAY_MS, dayOf } from '../../common/time.ts'
import { StateError } from '../../state/state-error.ts'
import type { Observation } from '../observation.ts'
import { type ClockWatch, watchClock } from './clock-agreement.ts'
import type { Portions } from './portions.ts'
import { type Reset, Resets } from './resets.ts'
import { type KeptCounts, StateLost, type StateStore, type StoreChange } from './state-store.ts'
import { type Criteria, createTally, type Tally } from './tally.ts'

/** Moves a tally to a store and back, one step at a time. Each step rejects with a StateError if the store fails. */
interface TallyKeeper {
  /** When the results begin, ISO 8601. */
  since(): string
  /** Returns all results: the stored ones, and those recorded here since. */
  whole(): Tally
  /** Counts an exchange in the whole and, if the store holds counts, in what is to be stored. */
  record(observation: Observation): void
  readonly clock: ClockWatch
  /** Opens and reads the store. Called until it succeeds, once. */
  open(): Promise<void>
  isOpen(): boolean
  /** Stores new results and resets, and deletes results that are too old. */
  keep(): Promise<void>
  /** Reads all results again, including those of other processes. Called when nothing waits for another attempt to be stored. */
  load(): Promise<void>
  /** Returns when the last complete reading of all results began, by the monotonic clock; ms. */
  readAt(): number
  /** Resets an operation's evidence at once. The reset is stored with the next step. */
  reset(order: ResetOrder): Reset
  /** Whether a reset is stored. */
  hasStored(reset: Reset): boolean
}

/** Which operation's evidence to reset, who orders it, and why. */
export type ResetOrder = Pick<Reset, 'operation' | 'by' | 'why'>

interface TallyKeeperOptions {
  readonly store: StateStore
  readonly portions: Portions
  readonly criteria: () => Criteria
  readonly now: () => Date
  readonly monotonic: () => number
  readonly log: Pick<Logger, 'info' | 'warn'>
}

/** How long results of versions that no longer answer are kept. */
const RETENTION_DAYS = 400
/** How often to read a store that is not shared, while other processes add to it all the same: two gateways during a restart. */
const AGAIN_MS = 3_000

export function tallyKeeper({ store, portions, criteria, now, monotonic, log }: TallyKeeperOptions): TallyKeeper {
  const clock = watchClock({ now, monotonic, log })
  let since = now().toISOString()
  let isOpen = false
  const resets = new Resets(() => now().getTime())
  /** The resets that are not stored yet. */
  let unstored: readonly Reset[] = []
  let whole = createTally(criteria, resets)
  /** What becomes the whole, and the operations whose unstored results it lacks, while it is put together. */
  let coming: { readonly tally: Tally; readonly lacks: ReadonlySet<string> } | undefined
  let readAt = Number.NEGATIVE_INFINITY
  /** Whether other processes have added to the store since. */
  let isBehind = false
  /** The day before which results have been deleted. */
  let forgotten: string | undefined
  /** What happened to earlier stored results, until it has been logged. */
  let unsaid: keyof typeof WARNINGS | undefined

  /** Reads the resets that other processes made, and finds those that the store lacks. */
  const readResets = async (): Promise<void> => {
    const stored = await store.resets()
    for (const reset of stored) resets.add(reset)
    unstored = resets.all().filter(({ id }) => stored.every((one) => one.id !== id))
  }
  const readCounts = async (): Promise<void> => {
    const tally = createTally(criteria, resets)
    let kept: KeptCounts | undefined
    do {
      kept = await store.read(kept)
      if (kept !== undefined) tally.importCounts([kept.counts])
    } while (kept !== undefined)
    const lacks = new Set(portions.operations())
    coming = { tally, lacks }
    for (const operation of lacks) {
      lacks.delete(operation)
      tally.importCounts(portions.unstored(operation))
      // Calls are answered between two operations: all of them at once would hold calls up.
      await nextTurn()
    }
    whole = tally
    coming = undefined
  }
  /** Reads the store again, because other processes may have added to it. */
  const load = async (): Promise<void> => {
    const begunAt = monotonic()
    await readResets()
    if (store.holdsCounts) await readCounts()
    readAt = begunAt
    isBehind = false
  }
  /** Uses the time of the last check, because the clock moves on while the store works, and only checked times are trusted. */
  const day = (daysAgo = 0): string => dayOf(clock.now().seenAt - daysAgo * DAY_MS)
  const forget = async (): Promise<boolean> => {
    const before = day(RETENTION_DAYS)
    if (before === forgotten || !clock.isTrusted()) return false
    await store.forgetBefore(before)
    forgotten = before
    return true
  }
  const storePortion = async (): Promise<StoreChange> => {
    const portion = portions.next(day())
    const sent = unstored
    try {
      const time = portion === undefined ? clock.due() : clock.now()
      const change = await store.keep({ portion, clock: time, resets: sent })
      unstored = unstored.filter((reset) => !sent.includes(reset))
      return change
    } catch (error) {
      if (!(error instanceof StateLost)) throw error
      unstored = resets.all()
      unsaid = error.isEmpty ? 'recreated' : 'lost'
      if (error.isEmpty) portions.startOver(since, day(), whole.exportCounts())
      else portions.force(since)
      return storePortion()
    }
  }
  /** Stores what waits now, in portions. What comes meanwhile waits for the next step. */
  const storeWaiting = async (): Promise<void> => {
    let left = portions.exchanges()
    do {
      const stored = await storePortion()
      left -= portions.stored()
      if (stored === 'added') isBehind = true
      else if (stored !== 'same') unsaid = stored
    } while (left > 0 && portions.exchanges() > 0)
  }
  return {
    since: () => since,
    whole: () => whole,
    record(observation) {
      const counted = { ...observation, lineage: whole.lineageOf(observation) }
      if (store.holdsCounts) portions.record(counted)
      whole.record(counted)
      if (coming?.lacks.has(counted.operation) === false) coming.tally.record(counted)
    },
    clock,
    isOpen: () => isOpen,
    load,
    readAt: () => readAt,
    async open() {
      const opened = await store.open(now())
      since = opened.since
      clock.begin(opened.clock)
      // If another process is writing now, old results are deleted later.
      await forget().catch((error) => {
        if (!(error instanceof StateError && error.isBusy)) throw error
      })
      await load()
      isOpen = true
    },
    async keep() {
      clock.check()
      await storeWaiting()
      await readResets()
      const change = unsaid
      unsaid = undefined
      if (change !== undefined) log.warn({ file: store.name }, WARNINGS[change])
      const isOther = (await forget()) || (change !== undefined && change !== 'recreated')
      if (isOther || (isBehind && monotonic() - readAt >= AGAIN_MS)) await load()
    },
    reset({ operation, by, why }) {
      const [report] = whole.reports((one) => one === operation)
      const at = laterThan(resets.latest(operation)?.at, now())
      const reset: Reset = {
        ...{ id: `${operation} ${at}`, operation, at, by, why },
        before: {
          lineage: whole.lineageOf({ operation, releases: undefined, at: undefined }),
          verdict: report?.verdict ?? 'insufficient data',
          requests: report?.totals.requests ?? 0,
        },
      }
      resets.add(reset)
      unstored = resets.all().filter((one) => one === reset || unstored.includes(one))
      return reset
    },
    hasStored: (reset) => !unstored.includes(reset),
  }
}

const WARNINGS = {
  recreated: 'the state was removed: it has been recreated with all results',
  replaced: 'the state was replaced: results are now added to the new one',
  lost: 'the state was replaced or restored: results stored meanwhile are not in it',
}

/** Returns a time after another one, even if the clock was set back; ISO 8601. */
const laterThan = (other: string | undefined, now: Date): string =>
  new Date(Math.max(now.getTime(), other === undefined ? 0 : Date.parse(other) + 1)).toISOString()
