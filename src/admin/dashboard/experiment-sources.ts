import type { Side } from '../../exchange/exchange.ts'

export interface Experiments {
  /** When the results begin; ISO 8601. */
  readonly since: string
  /** Those of which calls were compared, failed or were skipped. */
  readonly operations: readonly Experiment[]
  readonly queue: {
    readonly length: number
    readonly limit: number
    readonly running: number
    readonly dropped: number
  }
  readonly rollout: LoadedFile
}

/** What `GET /experiments` answers. */
export interface Experiment {
  readonly operation: string
  readonly serve: Side
  /** The share of calls that are compared, 0 to 1. */
  readonly shadow: number
  readonly totals: {
    readonly requests: number
    readonly matched: number
    readonly ignored: number
    readonly mismatched: number
    readonly failed: number
    readonly skipped: number
  }
  readonly verdict: 'ready' | 'not ready' | 'insufficient data'
  readonly target: number
  readonly matchRate: number
  /** One-sided 95 % Wilson bound. */
  readonly lowerBound: number
  /** How many exchanges are missing before even a flawless run reaches the target. */
  readonly needed: number
  readonly differences: readonly ExperimentDifference[]
  /** How many different requests were compared; `atLeast`: there may be more. */
  readonly inputs: { readonly distinct: number; readonly atLeast: boolean }
  readonly assumptions: readonly ExperimentAssumption[]
}

export interface ExperimentDifference {
  readonly kind: string
  readonly path: string
  readonly v1Path: string | null
  readonly requests: number
  readonly count: number
  readonly noise: number
  /** Why it does not count; null: it counts. */
  readonly ignored: string | null
  readonly details: Readonly<Record<string, number>> | null
}

/** What the answers say of a line of the mapping that is assumed. */
export interface ExperimentAssumption {
  readonly legacy: string
  readonly v1: string | null
  readonly change: string
  readonly reason: string | null
  /** Exchanges in which it showed and was so, and in which it was not. */
  readonly matched: number
  readonly differed: number
  readonly standing: 'confirmed' | 'refuted' | 'untested'
}

/** Values at one place of two answers, as JSON texts; null: that side has none. */
export interface DifferenceExample {
  readonly kind: string
  readonly path: string
  /** When the call came; ISO 8601. */
  readonly at: string
  readonly control: string | null
  readonly candidate: string | null
  /** The call that showed it, for a shell. */
  readonly curl: string
}

/** The rollout file, as it was last read. */
export interface LoadedFile {
  /** ISO 8601; null: there is no file. */
  readonly loadedAt: string | null
  /** Why its newest version was refused. */
  readonly error: string | null
}

/** What is wrong with keeping the results of comparing. */
export interface ResultsHealth {
  /** Why they cannot be stored, and since when (ISO 8601); null: they are. */
  readonly failure: { readonly since: string; readonly reason: string } | null
  /** How far the clock leapt, for as long as nothing is deleted by it: `100 days ahead of`; null: it is trusted. */
  readonly clock: string | null
}
