import type { Logger } from 'pino'
import { lineageKey } from '../lineage.ts'
import type { Observation } from '../observation.ts'
import type { OperationCounts } from './operation-counts.ts'
import { countPortions } from './portions.ts'
import { type Reset, Resets } from './resets.ts'
import type { StateStore } from './state-store.ts'
import { type Criteria, createTally, type LineageOf, type Tally } from './tally.ts'

/** Moves a tally to a store and back, one step at a time. Each step rejects with a StateError if the store fails. */
interface TallyKeeper {
  /** When the results begin, ISO 8601. */
  since(): string
  /** Returns all results: the stored ones, and those recorded here since. */
  whole(): Tally
  /** Counts an exchange in the whole, and in what is to be stored. */
  record(observation: Observation): void
  /** Opens and reads the store. Called until it succeeds, once. */
  open(): Promise<void>
  isOpen(): boolean
  /**
   * Stores new results and resets.
   * @param isAtOnce also if the interval of the store is not over.
   */
  keep(isAtOnce: boolean): Promise<void>
  /** Reads what other processes have stored. Called when nothing waits for another attempt to be stored. */
  load(): Promise<void>
  /** Returns when the last complete reading of all results began, by the monotonic clock; ms. */
  readAt(): number
  /** Resets an operation's evidence at once. The reset is stored with the next step. */
  reset(order: ResetOrder): Reset
  /** Whether a reset is stored. */
  hasStored(reset: Reset): boolean
  /** Returns the number of exchanges not stored yet. */
  exchanges(): number
  /** Whether all results and resets are stored. */
  isStored(): boolean
}

/** Which operation's evidence to reset, who orders it, and why. */
export type ResetOrder = Pick<Reset, 'operation' | 'by' | 'why'>

interface TallyKeeperOptions {
  readonly store: StateStore
  readonly criteria: () => Criteria
  readonly now: () => Date
  readonly monotonic: () => number
  readonly log: Pick<Logger, 'warn'>
}

/** How often to read a store that is not shared, because other processes may add to it all the same: two gateways during a restart. */
const AGAIN_MS = 3_000

export function tallyKeeper({ store, criteria, now, monotonic, log }: TallyKeeperOptions): TallyKeeper {
  let since = now().toISOString()
  let isOpen = false
  const resets = new Resets(() => now().getTime())
  /** The resets that are not stored yet. */
  let unstored: readonly Reset[] = []
  const whole = createTally(criteria, resets)
  const portions = countPortions(criteria, store.add)
  let readAt = Number.NEGATIVE_INFINITY
  let storedAt = Number.NEGATIVE_INFINITY

  /** Reads the resets that other processes made, and finds those that the store lacks. */
  const readResets = async (): Promise<void> => {
    const stored = await store.resets()
    for (const reset of stored) resets.add(reset)
    unstored = resets.all().filter(({ id }) => stored.every((one) => one.id !== id))
  }
  /** Replaces the counts of a lineage by the stored ones and those that are not stored yet. Returns how many exchanges fewer these are. */
  const replace = (of: LineageOf, stored: readonly OperationCounts[]): number => {
    const unstored = portions.unstored(of.operation).filter(({ lineage }) => lineageKey(lineage) === of.key)
    return whole.replace(of, [...stored, ...unstored])
  }
  const load = async (): Promise<void> => {
    const begunAt = monotonic()
    await readResets()
    const { documents, isRestored } = await store.changes()
    let fewer = 0
    for (const { key, doc } of documents) fewer += replace(lineageIn(key), doc === undefined ? [] : [doc])
    // What was deleted because it is old is not lost.
    if (isRestored && fewer > 0) log.warn({ file: store.name, exchanges: fewer }, LOST)
    readAt = begunAt
  }
  return {
    since: () => since,
    whole: () => whole,
    record(observation) {
      const counted = { ...observation, lineage: whole.lineageOf(observation) }
      portions.record(counted)
      whole.record(counted)
    },
    isOpen: () => isOpen,
    load,
    readAt: () => readAt,
    async open() {
      since = await store.open()
      await load()
      isOpen = true
    },
    async keep(isAtOnce) {
      const sent = unstored
      const isDue = monotonic() - storedAt >= (store.intervalMs?.() ?? 0)
      await store.keep(sent)
      unstored = unstored.filter((reset) => !sent.includes(reset))
      if (isAtOnce || isDue || sent.length > 0) {
        await portions.send()
        storedAt = monotonic()
      }
      await readResets()
      if (!store.isShared && monotonic() - readAt >= AGAIN_MS) await load()
    },
    reset({ operation, by, why }) {
      const [report] = whole.snapshot((one) => one === operation)
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
    exchanges: portions.exchanges,
    isStored: () => portions.exchanges() === 0 && unstored.length === 0,
  }
}

const LOST = 'the state was replaced or restored: results that were stored since then are not in it'

/** Reads a key of `StateStore.changes`. */
function lineageIn(key: string): LineageOf {
  const end = key.indexOf(' ')
  return { operation: key.slice(0, end), key: key.slice(end + 1) }
}

/** Returns a time after another one, even if the clock was set back; ISO 8601. */
const laterThan = (other: string | undefined, now: Date): string =>
  new Date(Math.max(now.getTime(), other === undefined ? 0 : Date.parse(other) + 1)).toISOString()
