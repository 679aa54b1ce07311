import { type Expectations, expectationsOf } from '../expected/expectations.ts'
import type { Observation, Outcome } from '../observe-exchange.ts'
import { addCounts } from './add-counts.ts'
import { countExchange } from './count-exchange.ts'
import type { OperationCounts } from './operation-counts.ts'
import { type OperationReport, reportOf } from './operation-report.ts'
import { exportState, newState, type OperationState, outcomeOf } from './operation-state.ts'

/** The criteria for judging results. They may change: every snapshot judges all counts by the current criteria. */
export interface Criteria {
  /** By operation, in display order. An operation that is missing here is judged without a mapping. */
  readonly expectations: ReadonlyMap<string, Expectations>
  /** The match rate to prove, from 0 to below 1. */
  targetOf(operation: string): number
}

/** The results of comparisons, added up by operation. Memory is bounded and holds no value of a body. */
export interface Tally {
  /** Counts an exchange. Returns its outcome, judged by everything counted so far, including itself. */
  record(observation: Observation): Outcome
  /** Reports the operations with at least one exchange, as in `report.json`. */
  snapshot(): readonly OperationReport[]
  /** Like `snapshot`, but makes each report when it is read: all of them may take long. */
  reports(): Iterable<OperationReport>
  /** Returns all counts, to be stored. */
  exportCounts(): readonly OperationCounts[]
  /** Adds stored counts, of this tally before a restart or of another one. */
  importCounts(counts: Iterable<OperationCounts>): void
}

/** Creates an empty tally. */
export function createTally(criteria: () => Criteria): Tally {
  const states = new Map<string, OperationState>()
  const knownOf = (operation: string): Expectations =>
    criteria().expectations.get(operation) ?? expectationsOf({ id: operation, response: { kind: 'pass-through' } }, [])
  const stateOf = (operation: string): OperationState => {
    const state = states.get(operation) ?? newState()
    states.set(operation, state)
    return state
  }
  /** Operations with expectations in their order, then the others by name. */
  const inOrder = (): readonly (readonly [string, OperationState])[] => {
    const mapped = [...criteria().expectations.keys()].filter((operation) => states.has(operation))
    const others = [...states.keys()].filter((operation) => !mapped.includes(operation)).sort()
    return [...mapped, ...others].map((operation) => [operation, stateOf(operation)])
  }
  function* reports(): Iterable<OperationReport> {
    for (const [operation, state] of inOrder()) {
      yield reportOf(operation, state, knownOf(operation), criteria().targetOf(operation))
    }
  }
  return {
    record(observation) {
      const { operation, outcome, differences } = observation
      const expectations = knownOf(operation)
      const state = stateOf(operation)
      addCounts(state, countExchange(observation), expectations)
      return outcome === 'failed' || outcome === 'skipped' ? outcome : outcomeOf(state, expectations, differences)
    },
    snapshot: () => [...reports()],
    reports,
    exportCounts: () => inOrder().map(([operation, state]) => exportState(operation, state)),
    importCounts(all) {
      for (const counts of all) addCounts(stateOf(counts.operation), counts, knownOf(counts.operation))
    },
  }
}
