import type { Observation, Outcome } from '../observe-exchange.ts'
import type { OperationReport } from './operation-report.ts'
import type { StateDb } from './state-db.ts'
import { type Criteria, createTally, type Tally } from './tally.ts'

/** Results that survive a restart. */
export interface KeptTally {
  /** When they begin; ISO 8601. */
  readonly since: string
  record(observation: Observation): Outcome
  snapshot(): readonly OperationReport[]
  /** Stores what is not stored yet. */
  close(): void
}

export interface KeptTallyOptions {
  readonly db: StateDb
  readonly criteria: () => Criteria
  readonly now: () => Date
  /** Told when results cannot be stored: they are tried again with the next ones. */
  readonly onError: (error: unknown) => void
  readonly everyMs?: number
}

/** Results are stored once a second. */
const EVERY_MS = 1_000
/** Older results are forgotten. */
const RETENTION_DAYS = 90

/** Adds up what is stored and what is recorded from now on, and stores it by day. */
export function keptTally({ db, criteria, now, onError, everyMs = EVERY_MS }: KeptTallyOptions): KeptTally {
  let day = dayOf(now())
  let whole = createTally(criteria)
  /** What is not stored yet. */
  let unstored = createTally(criteria)
  const changed = new Set<string>()

  const load = (): void => {
    db.forgetBefore(dayOf(new Date(now().getTime() - RETENTION_DAYS * 86_400_000)))
    whole = createTally(criteria)
    whole.importCounts(db.load())
  }
  const store = (): void => {
    if (changed.size === 0) return
    try {
      db.add(day, (kept) => {
        const sum = createTally(criteria)
        sum.importCounts(kept)
        sum.importCounts(unstored.exportCounts())
        return countsOf(sum, changed)
      })
      unstored = createTally(criteria)
      changed.clear()
    } catch (error) {
      onError(error)
    }
  }
  const turn = (): void => {
    store()
    const date = dayOf(now())
    if (date === day || changed.size > 0) return
    day = date
    load()
  }

  load()
  const timer = setInterval(turn, everyMs).unref()
  return {
    since: db.since,
    record(observation) {
      changed.add(observation.operation)
      unstored.record(observation)
      return whole.record(observation)
    },
    snapshot: () => whole.snapshot(),
    close() {
      clearInterval(timer)
      store()
      db.close()
    },
  }
}

const dayOf = (date: Date): string => date.toISOString().slice(0, 10)

const countsOf = (tally: Tally, operations: ReadonlySet<string>) =>
  tally.exportCounts().filter(({ operation }) => operations.has(operation))
