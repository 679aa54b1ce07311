import type { Observation } from '../../control-plane/evidence/observation.ts'
import type { OperationReport } from '../../control-plane/evidence/tally/operation-report.ts'
import { type Criteria, createTally } from '../../control-plane/evidence/tally/tally.ts'
import type { Place } from '../merge-recordings.ts'

/** Why exchanges were not compared. */
export interface Uncompared {
  readonly outcome: 'failed' | 'skipped'
  /** Which side failed and how (`control: timeout`), or why the exchanges were skipped. */
  readonly reason: string
  readonly requests: number
  /** The first 20 line numbers, in order. */
  readonly lines: readonly number[]
  /** The same lines with their files. Unset: there is only one file. */
  readonly places?: readonly Place[] | undefined
}

/** An operation as in `report.json`; `uncompared` is added at its end. */
export type ReplayedReport = OperationReport & { readonly uncompared: readonly Uncompared[] }

/** The results of a replay so far. Memory is bounded and holds no values of bodies. */
interface ReplayResults {
  /** Counts an exchange. */
  record(observation: Observation): void
  snapshot(): readonly ReplayedReport[]
}

/** The most line numbers kept per reason; the same as per difference. */
const LINES = 20

export function replayResults(criteria: Criteria): ReplayResults {
  const tally = createTally(() => criteria)
  /** By operation, then by outcome and reason. There are few reasons. */
  const uncompared = new Map<string, Map<string, Uncompared>>()

  function count({ operation, reason, line }: Observation, outcome: Uncompared['outcome']): void {
    const ofOperation = uncompared.get(operation) ?? new Map<string, Uncompared>()
    const why = reason ?? ''
    const { requests, lines } = ofOperation.get(why) ?? { requests: 0, lines: [] }
    const firstLines = [...lines, ...(line === undefined ? [] : [line])].sort((a, b) => a - b).slice(0, LINES)
    ofOperation.set(why, { outcome, reason: why, requests: requests + 1, lines: firstLines })
    uncompared.set(operation, ofOperation)
  }

  return {
    record(observation) {
      const { outcome } = observation
      if (outcome === 'failed' || outcome === 'skipped') count(observation, outcome)
      tally.record(observation)
    },
    snapshot: () =>
      tally.snapshot().map((report) => ({
        ...report,
        uncompared: [...(uncompared.get(report.operation)?.values() ?? [])].sort((a, b) => b.requests - a.requests),
      })),
  }
}

/**
 * Adds the file of each line to the reports of a replay of several files: `lines` become the line numbers in the files, and
 * `places` are the same lines with their files.
 * @param placeOf returns the place that a number in `lines` stands for.
 */
export function withPlaces(
  operations: readonly ReplayedReport[],
  placeOf: (number: number) => Place,
): readonly ReplayedReport[] {
  const placed = <T extends { readonly lines: readonly number[] }>(
    one: T,
  ): T & { readonly places: readonly Place[] } => {
    const places = one.lines.map(placeOf)
    return { ...one, lines: places.map(({ line }) => line), places }
  }
  return operations.map(({ differences, uncompared, ...report }) => ({
    ...{ ...report, differences: differences.map(placed), uncompared: uncompared.map(placed) },
  }))
}
