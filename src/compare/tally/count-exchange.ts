import type { Observation } from '../observe-exchange.ts'
import type { OperationCounts } from './operation-counts.ts'
import { placeKey, placeOf } from './operation-state.ts'

/** Returns what one exchange adds to the counts. */
export function countExchange(observation: Observation): OperationCounts {
  const { operation, outcome, differences, noise, line, input, assumptions } = observation
  const isCompared = outcome !== 'failed' && outcome !== 'skipped'
  return {
    operation,
    matched: isCompared && differences.length === 0 ? 1 : 0,
    failed: outcome === 'failed' ? 1 : 0,
    skipped: outcome === 'skipped' ? 1 : 0,
    askedTwice: noise === null ? 0 : 1,
    unlisted: 0,
    settled: { ignored: 0, mismatched: 0 },
    classes: differences.map(({ part, kind, path, count, details }) => ({
      part,
      kind,
      path,
      requests: 1,
      count,
      details: details ?? {},
      lines: line === undefined ? [] : [line],
    })),
    patterns: differences.length === 0 ? [] : [{ classes: [...differences.keys()], requests: 1 }],
    places: noise === null ? [] : placesOf(differences, noise),
    inputs: input === undefined ? [] : [input],
    assumptions: assumptions.map(({ line: { part, legacy, change }, holds }) => ({
      part,
      legacy: legacy ?? '',
      change,
      matched: holds ? 1 : 0,
      differed: holds ? 0 : 1,
    })),
  }
}

/** Counts each place at most once, whatever the number of kinds there: noise is counted in exchanges. */
function placesOf(raw: Observation['differences'], noise: Observation['differences']): OperationCounts['places'] {
  const keys = (differences: Observation['differences']) =>
    new Map(differences.map((difference) => [placeKey(placeOf(difference)), placeOf(difference)]))
  const [differing, noisy] = [keys(raw), keys(noise)]
  return [...new Map([...differing, ...noisy])].map(([key, place]) => ({
    ...place,
    raw: differing.has(key) ? 1 : 0,
    noise: noisy.has(key) ? 1 : 0,
  }))
}
