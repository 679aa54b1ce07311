import { type KnownLines, knownLines } from '../mapping/known-lines.ts'
import type { Observation, Outcome } from '../observe-exchange.ts'
import { addCounts } from './add-counts.ts'
import { countExchange } from './count-exchange.ts'
import { exportState } from './export-state.ts'
import type { OperationCounts } from './operation-counts.ts'
import { type OperationReport, reportOf } from './operation-report.ts'
import { newState, type OperationState, outcomeOf } from './operation-state.ts'

/** By what results are judged. It may change: what has been counted is judged anew whenever it is looked at. */
export interface Criteria {
  /** By operation, in the order in which they are to be shown. Of one that is not in it nothing is known. */
  readonly known: ReadonlyMap<string, KnownLines>
  /** The match rate to be proven, from 0 to below 1. */
  targetOf(operation: string): number
}

/** The results of comparing, added up by operation. Its memory is bounded, and holds no value of a body. */
export interface Tally {
  /** Counts an exchange. Returns how it is judged by all that has been counted so far, itself included. */
  record(observation: Observation): Outcome
  /** The operations of which exchanges were counted, as in `report.json`. */
  snapshot(): readonly OperationReport[]
  /** The same, each made when it is asked for: all of them may take long. */
  reports(): Iterable<OperationReport>
  /** Everything, to be stored. */
  exportCounts(): readonly OperationCounts[]
  /** Adds what was stored, by this tally before a restart or by another one. */
  importCounts(counts: Iterable<OperationCounts>): void
}

/** Starts with nothing counted. */
export function createTally(criteria: () => Criteria): Tally {
  const states = new Map<string, OperationState>()
  const knownOf = (operation: string): KnownLines =>
    criteria().known.get(operation) ?? knownLines({ id: operation, response: { kind: 'pass-through' } }, [])
  const stateOf = (operation: string): OperationState => {
    const state = states.get(operation) ?? newState()
    states.set(operation, state)
    return state
  }
  /** Those that are known in their order, then the others by name. */
  const inOrder = (): readonly (readonly [string, OperationState])[] => {
    const known = [...criteria().known.keys()].filter((operation) => states.has(operation))
    const others = [...states.keys()].filter((operation) => !known.includes(operation)).sort()
    return [...known, ...others].map((operation) => [operation, stateOf(operation)])
  }
  function* reports(): Iterable<OperationReport> {
    for (const [operation, state] of inOrder()) {
      yield reportOf(operation, state, knownOf(operation), criteria().targetOf(operation))
    }
  }
  return {
    record(observation) {
      const { operation, outcome, differences } = observation
      const known = knownOf(operation)
      const state = stateOf(operation)
      addCounts(state, countExchange(observation), known)
      return outcome === 'failed' || outcome === 'skipped' ? outcome : outcomeOf(state, known, differences)
    },
    snapshot: () => [...reports()],
    reports,
    exportCounts: () => inOrder().map(([operation, state]) => exportState(operation, state)),
    importCounts(all) {
      for (const counts of all) addCounts(stateOf(counts.operation), counts, knownOf(counts.operation))
    },
  }
}
