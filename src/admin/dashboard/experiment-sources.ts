import type { Side } from '../../exchange/exchange.ts'

export interface Experiments {
  /** When the results begin, ISO 8601. */
  readonly since: string
  /** The operations with calls that were compared, failed or were skipped. */
  readonly operations: readonly Experiment[]
  /** Whether all operations that can be compared reach their targets, all at once. */
  readonly overall: {
    readonly verdict: Verdict
    readonly confidence: number
    readonly ready: number
    readonly of: number
    /** What is missing, by operation, in words. */
    readonly missing: readonly string[]
    /** The verdict in words. */
    readonly says: string
    readonly kept: boolean
  }
  readonly queue: {
    readonly length: number
    readonly limit: number
    readonly running: number
    readonly dropped: number
  }
  /** The rules of the rollout file, and what each still does. */
  readonly rules: readonly RuleUse[]
  readonly rollout: LoadedFile
}

interface Quantiles {
  readonly p50: number
  readonly p95: number
  readonly p99: number
}

/** A decision that an operation's evidence begins anew. */
export interface ToldReset {
  /** ISO 8601. */
  readonly at: string
  readonly by: string
  readonly why: string
}

/** Of which versions a result is; null: the service says nothing of its release. */
export interface Lineage {
  readonly mapping: string
  readonly v1: string | null
  readonly legacy: string | null
}

export type Verdict = 'ready' | 'not ready' | 'insufficient data'

/** The results of one operation, as in `GET /experiments`. */
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
  readonly verdict: Verdict
  readonly target: number
  readonly matchRate: number
  /** What the match rate would be if neither rules nor losses excused anything. */
  readonly unexcusedRate: number
  /** With `confidence` the share of matching units is at least so large (Clopper–Pearson). */
  readonly lowerBound: number
  readonly confidence: number
  /** Units still missing before even a flawless run could reach the target. */
  readonly needed: number
  /** What keeps it from `ready` although no difference counts, in words. */
  readonly missing: readonly string[]
  /** One client's equal requests within an hour are one unit. */
  readonly units: { readonly distinct: number; readonly mismatched: number; readonly estimated: boolean }
  readonly errors: { readonly matched: number; readonly mismatched: number }
  readonly empty: number
  /** Why exchanges that were to be compared could not be: how often. */
  readonly unjudged: Readonly<Record<string, number>>
  readonly clients: { readonly distinct: number; readonly atLeast: boolean; readonly largestShare: number }
  /** When the first and the last compared call came, ISO 8601; null: nobody knows. */
  readonly since: string | null
  readonly until: string | null
  /** How long both services took, in ms; null: nobody knows. */
  readonly durations: { readonly control: Quantiles; readonly candidate: Quantiles } | null
  /** False: the results are in memory, and the verdict is lost with the process. */
  readonly kept: boolean
  /** Writes whose legacy answer was taken to v1's shape and back, and those that were not the same then; null: none was. */
  readonly roundTrip: { readonly checked: number; readonly differed: number } | null
  /** Members of writes that would not be carried to v1, by path: in how many writes. */
  readonly droppedMembers: Readonly<Record<string, number>>
  readonly lineage: Lineage
  /** The reset by which the evidence began anew; null: there was none. */
  readonly begunBy: ToldReset | null
  /** What was found of older versions and before resets, the last ones first. */
  readonly history: readonly {
    readonly lineage: Lineage
    readonly since: string | null
    readonly until: string | null
    readonly verdict: Verdict
    readonly requests: number
    /** The reset that ended it; null: another version did. */
    readonly endedBy: ToldReset | null
  }[]
  readonly differences: readonly ExperimentDifference[]
  /** The number of different requests compared; `atLeast`: there may be more. */
  readonly inputs: { readonly distinct: number; readonly atLeast: boolean }
  readonly assumptions: readonly ExperimentAssumption[]
  /** Of the lines of the mapping that calls can show, how many were seen. */
  readonly coverage: { readonly lines: number; readonly seen: number; readonly share: number }
  readonly exercised: readonly ExercisedLine[]
  /** The verdict in words; one that is `ready` says what was never seen. */
  readonly says: string
}

export interface ExperimentDifference {
  readonly kind: string
  readonly path: string
  /** Set if v1 was not asked. */
  readonly from?: 'round trip'
  readonly v1Path: string | null
  readonly requests: number
  readonly count: number
  /** Of the requests, those whose data had changed between the answers. */
  readonly drift: number
  /** Why it does not count; null: it counts. */
  readonly ignored: string | null
  readonly details: Readonly<Record<string, number>> | null
  /** When it was first and last seen, ISO 8601; null: nobody knows. */
  readonly since: string | null
  readonly until: string | null
  readonly clients: { readonly distinct: number; readonly estimated: boolean }
  /** The mapping line that it falls under; null: no line covers it. */
  readonly mapping: {
    readonly legacy: string | null
    readonly v1: string | null
    readonly change: string
    readonly reason: string | null
  } | null
  /** The narrowest rules that excuse it, and how many exchanges they would excuse; null: it does not count. */
  readonly excusing: { readonly rules: readonly IgnoreRule[]; readonly requests: number } | null
}

/** A rule of the rollout file by which differences do not count. */
export interface IgnoreRule {
  readonly operation: string
  readonly path: string
  readonly kind?: string | undefined
  readonly details?: string | undefined
  readonly client?: string | undefined
  readonly tolerance?: number | undefined
  readonly unordered?: boolean | undefined
  readonly until?: string | undefined
  readonly by?: string | undefined
  readonly why: string
}

/** A rule, and what it still does. */
export interface RuleUse extends IgnoreRule {
  /** Its last day is not over. */
  readonly holds: boolean
  /** When a difference that it excuses was last seen, ISO 8601; null: never. */
  readonly lastExcused: string | null
  /** It has excused nothing for 30 days. */
  readonly stale: boolean
}

/** One line of the mapping: in how many compared calls it showed, and in how many of them the answers differed there. */
export interface ExercisedLine {
  readonly part: string
  readonly legacy: string
  readonly requests: number
  readonly differed: number
  /** Why it need not be seen, and who says so; null: it is to be seen. */
  readonly waived: { readonly why: string; readonly by: string } | null
}

/** Whether the answers confirm an assumed mapping line. */
export interface ExperimentAssumption {
  readonly legacy: string
  readonly v1: string | null
  readonly change: string
  readonly reason: string | null
  /** Exchanges whose answers show it and agree there, and exchanges whose answers differ there. */
  readonly matched: number
  readonly differed: number
  readonly standing: 'confirmed' | 'refuted' | 'untested'
}

/** Values at one place of two answers, as JSON texts; null: the side has no value there. */
export interface DifferenceExample {
  readonly kind: string
  readonly path: string
  /** When the call arrived, ISO 8601. */
  readonly at: string
  readonly control: string | null
  readonly candidate: string | null
  /** The call that showed it, as a shell command. */
  readonly curl: string
  /** The same call of the legacy service itself; unset: unknown. */
  readonly legacyCurl?: string | undefined
  /** The query by which the page Explain is filled in with the call. */
  readonly explain?: string | undefined
}

/** The state of the rollout file. */
export interface LoadedFile {
  /** ISO 8601; null: no file is configured. */
  readonly loadedAt: string | null
  /** Why its newest version was refused; null: it is in effect. */
  readonly error: string | null
}

/** Whether comparison results are stored, and what is wrong if not. */
export interface ResultsHealth {
  /** Why results cannot be stored, and since when (ISO 8601); null: they are stored. */
  readonly failure: { readonly since: string; readonly reason: string } | null
  /** How far the clock leapt, while nothing is deleted because of that: `100 days ahead of`; null: it is trusted. */
  readonly clock: string | null
}
