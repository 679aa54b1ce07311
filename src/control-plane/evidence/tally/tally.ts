import { type Expectations, expectationsOf } from '../expected/expectations.ts'
import { type Lineage, lineageKey } from '../lineage.ts'
import type { Observation } from '../observation.ts'
import { BOUNDS, type Bounds, Smallest } from './bounds.ts'
import { countExchange } from './count-exchange.ts'
import type { OperationCounts } from './operation-counts.ts'
import { type OperationReport, reportOf } from './operation-report.ts'
import {
  addCounts,
  exchangesIn,
  exportState,
  type LineageState,
  newState,
  type OperationState,
} from './operation-state.ts'
import { believed, lastOf, outermost, type Period } from './period.ts'
import { type Reset, Resets } from './resets.ts'
import type { Demands } from './verdict.ts'

/** The criteria for judging results. They may change: each snapshot judges all counts by the current criteria. */
export interface Criteria {
  /** By operation, in display order. An operation that is missing here is judged without a mapping. */
  readonly expectations: ReadonlyMap<string, Expectations>
  /** Returns what must be shown for an operation. */
  demandsOf(operation: string): Demands
  /** Returns the reader's time, in ms since the epoch. Unset: by the clock of this machine. */
  readonly now?: () => number
}

/** The results of comparisons, added up by operation and lineage. Memory is bounded and holds no values of bodies. */
export interface Tally {
  /** Counts an exchange under its lineage; if it has none, under the one that `lineageOf` returns. */
  record(observation: Observation): void
  /** Returns the versions that an exchange belongs to. A release that its answers do not report is the last known one. */
  lineageOf(observation: Pick<Observation, 'operation' | 'releases' | 'at'>): Lineage
  /** Reports the newest lineage of each operation with at least one exchange, as in `report.json`. @param wanted unset: all operations. */
  snapshot(wanted?: (operation: string) => boolean): readonly OperationReport[]
  /** Returns all counts, to be stored. */
  exportCounts(): readonly OperationCounts[]
  /** Adds stored counts, from this tally before a restart or from another one. */
  importCounts(counts: Iterable<OperationCounts>): void
  /**
   * Replaces what is counted of one lineage of an operation by the sum of these counts; by nothing if there are none.
   * @returns how many exchanges fewer than before there are; 0: none.
   */
  replace(of: LineageOf, counts: readonly OperationCounts[]): number
}

/** A lineage of an operation. */
export interface LineageOf {
  readonly operation: string
  /** See `lineageKey`. */
  readonly key: string
}

/**
 * Creates an empty tally.
 * @param resets may change; each operation is judged by the results since its latest reset.
 * @param bounds how much is kept per lineage.
 */
export function createTally(criteria: () => Criteria, resets = new Resets(Date.now), bounds: Bounds = BOUNDS): Tally {
  const operations = new Map<string, Lineages>()
  const now = (): number => (criteria().now ?? Date.now)()
  const expectationsFor = (operation: string): Expectations =>
    criteria().expectations.get(operation) ?? expectationsOf({ id: operation, response: { kind: 'pass-through' } }, [])
  const lineagesOf = (operation: string): Lineages => {
    const lineages = operations.get(operation) ?? new Lineages(bounds)
    operations.set(operation, lineages)
    return lineages
  }
  /**
   * Returns the newest lineage of the mapping in use; without results, an empty one. A reset does not change releases: until an
   * answer reports one, the lineage has the release that was seen last.
   */
  const newestOf = (operation: string, after: Reset | undefined): LineageState => {
    const { mapping } = expectationsFor(operation)
    const newest = operations.get(operation)?.newest(mapping, now(), after?.at)
    if (newest !== undefined) return newest
    if (after === undefined) return { lineage: { mapping, v1: null, legacy: null }, state: newState() }
    const { v1, legacy } = after.before.lineage
    return { lineage: { mapping, v1, legacy, reset: after.at }, state: newState() }
  }
  /** Returns the operations with expectations in display order, then the others by name. */
  const inOrder = (): readonly string[] => {
    const mapped = [...criteria().expectations.keys()].filter((operation) => operations.has(operation))
    return [...mapped, ...[...operations.keys()].filter((operation) => !mapped.includes(operation)).sort()]
  }
  const report = (operation: string): OperationReport => {
    const newest = newestOf(operation, resets.latest(operation))
    const by = {
      ...{ expectations: expectationsFor(operation), demands: criteria().demandsOf(operation) },
      ...{ resets: resets.of(operation), now: now() },
    }
    return reportOf(operation, newest, lineagesOf(operation).before(newest, by.now), by)
  }
  function lineageOf({ operation, releases, at }: Parameters<Tally['lineageOf']>[0]): Lineage {
    const { mapping, v1, legacy, reset } = newestOf(operation, resets.before(operation, at)).lineage
    // In the order in which a stored lineage is read, so that every process reports it alike.
    const known = { mapping, v1: releases?.v1 ?? v1, legacy: releases?.legacy ?? legacy }
    return reset === undefined ? known : { ...known, reset }
  }
  function importCounts(all: Iterable<OperationCounts>): void {
    for (const counts of all) {
      const { operation, lineage } = counts
      addCounts(lineagesOf(operation).stateOf(lineage, now()), counts)
    }
  }
  return {
    record(observation) {
      const { operation, lineage = lineageOf(observation) } = observation
      const state = lineagesOf(operation).stateOf(lineage, now())
      addCounts(state, countExchange(observation, lineage))
    },
    lineageOf,
    snapshot: (wanted = () => true) => inOrder().filter(wanted).map(report),
    exportCounts: () =>
      inOrder().flatMap((operation) =>
        lineagesOf(operation)
          .all()
          .map(({ lineage, state }) => exportState(operation, lineage, state)),
      ),
    importCounts,
    replace({ operation, key }, counts) {
      const before = operations.get(operation)?.delete(key)
      importCounts(counts)
      const after = operations.get(operation)?.get(key)
      return Math.max(exchangesOf(before) - exchangesOf(after), 0)
    },
  }
}

const exchangesOf = (state: OperationState | undefined): number =>
  state === undefined ? 0 : exchangesIn({ ...state, ...state.totals, patterns: state.patterns.values() })

/** The most older lineages that are shown as history. */
const HISTORY = 20
/** The most lineages kept: a service that reports another release with each answer must not fill memory or the store. */
export const MOST_LINEAGES = HISTORY + 1
/** During a rolling update two releases answer in turn. Lineages last seen within this time of each other count as running; ms. */
const ROLLING_MS = 600_000

/** The results of one operation, by lineage. */
class Lineages {
  readonly #all = new Smallest<string, LineageState>(Number.POSITIVE_INFINITY)
  readonly #bounds: Bounds | undefined

  constructor(bounds?: Bounds) {
    this.#bounds = bounds
  }

  /**
   * Returns the results of a lineage, which begin now if there are none. Another one may have to give way to them: the one whose last
   * call was the earliest.
   * @param now the reader's time, in ms since the epoch. Later times are not believed.
   */
  stateOf(lineage: Lineage, now: number): OperationState {
    const key = lineageKey(lineage)
    const existing = this.#all.get(key)
    if (existing !== undefined) return existing.state
    const begun = { lineage, state: newState(this.#bounds) }
    this.#all.set(key, begun)
    if (this.#all.size > MOST_LINEAGES) this.#dropOldest(begun, now)
    return begun.state
  }

  get(key: string): OperationState | undefined {
    return this.#all.get(key)?.state
  }

  /** Returns what was deleted. */
  delete(key: string): OperationState | undefined {
    const state = this.get(key)
    this.#all.delete(key)
    return state
  }

  /** Returns all lineages in the order of their keys, regardless of the order in which they were added. */
  all(): readonly LineageState[] {
    return this.#all.values()
  }

  /**
   * Returns the newest lineage of a mapping: among those seen recently, the one whose first exchange came last. If several began at
   * the same time, or the times of calls are unknown, it is the one with the largest key. Undefined: the mapping has no lineage.
   * @param now the reader's time, in ms since the epoch. Later times are not believed.
   * @param reset the reset that the lineage follows; undefined: lineages before any reset.
   */
  newest(mapping: string, now: number, reset?: string): LineageState | undefined {
    const all = this.all().filter(({ lineage }) => lineage.mapping === mapping && lineage.reset === reset)
    const last = Math.max(...all.map((one) => untilOf(one, now)))
    const running = all.filter((one) => untilOf(one, now) >= last - ROLLING_MS)
    return running.reduce<LineageState | undefined>(
      (newest, one) => (newest === undefined || sinceOf(one, now) >= sinceOf(newest, now) ? one : newest),
      undefined,
    )
  }

  /** Returns the other lineages, the most recent first. */
  before(newest: LineageState | undefined, now: number): readonly LineageState[] {
    return this.all()
      .filter((one) => one !== newest)
      .sort((a, b) => untilOf(b, now) - untilOf(a, now))
      .slice(0, HISTORY)
  }

  #dropOldest(begun: LineageState, now: number): void {
    const oldest = this.all()
      .filter((one) => one !== begun)
      .reduce((oldest, one) => (untilOf(one, now) < untilOf(oldest, now) ? one : oldest))
    this.#all.delete(lineageKey(oldest.lineage))
  }
}

/** When calls of a lineage came, compared ones and checked writes. */
const periodOf = ({ state: { period, checked } }: LineageState): Period => ({
  since: outermost(Math.min, period.since, checked.period.since),
  until: outermost(Math.max, period.until, checked.period.until),
})

const sinceOf = (one: LineageState, now: number): number => believed(periodOf(one), now).since ?? 0
const untilOf = (one: LineageState, now: number): number => lastOf(periodOf(one), now)
