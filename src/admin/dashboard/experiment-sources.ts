import type { Side } from '../../exchange/exchange.ts'

export interface Experiments {
  /** When the results begin, ISO 8601. */
  readonly since: string
  /** When the results of other replicas were last read, if they could not be read now, ISO 8601; null: all results are current. */
  readonly asOf: string | null
  /** The operations with calls that were compared, skipped, or failed to be compared. */
  readonly operations: readonly Experiment[]
  /** Whether all operations that can be compared reach their targets together. */
  readonly overall: {
    readonly verdict: Verdict
    readonly confidence: number
    /** How many operations can be compared, how many of them are proven, and how many have enough units for all to hold at once. */
    readonly of: number
    readonly ready: number
    readonly together: number
    /** What is missing for that, by operation, in words. */
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

/** A decision to reset an operation's evidence. */
export interface ToldReset {
  /** ISO 8601. */
  readonly at: string
  readonly by: string
  readonly why: string
}

/** The versions that a result belongs to; null if the service does not report its release. */
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
  /** The share of calls that are compared, 0 to 1: 0 if they never are. */
  readonly shadow: number
  /** Why none of its calls is ever compared; null if they can be. */
  readonly neverCompared: string | null
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
  /** The share of matching units is at least this large, with `confidence` (Clopper–Pearson). */
  readonly lowerBound: number
  readonly confidence: number
  /** Units still missing before even a flawless run could reach the target. */
  readonly needed: number
  /** What it lacks for `ready` although no difference counts, in words. */
  readonly missing: readonly string[]
  /** One client's equal requests within an hour are one unit. */
  readonly units: { readonly distinct: number; readonly mismatched: number; readonly estimated: boolean }
  readonly errors: { readonly matched: number; readonly mismatched: number }
  readonly empty: number
  /** How many exchanges could not be compared, by reason. */
  readonly unjudged: Readonly<Record<string, number>>
  /** What became of each call; unset if unknown. */
  readonly account?: CallAccount
  readonly clients: { readonly distinct: number; readonly atLeast: boolean; readonly largestShare: number }
  /** When the first and the last compared call came, ISO 8601; null if unknown. */
  readonly since: string | null
  readonly until: string | null
  /** How long both services took, in ms; null if unknown. */
  readonly durations: { readonly control: Quantiles; readonly candidate: Quantiles; readonly allPages?: true } | null
  /** False if the results are in memory only: a restart loses the verdict. */
  readonly kept: boolean
  /** Writes whose legacy answer was translated to v1's shape and back, and those that came back different; null if there were none. */
  readonly roundTrip: { readonly checked: number; readonly differed: number } | null
  /** Members of writes that would not be carried to v1: how many writes had each, by path. */
  readonly droppedMembers: Readonly<Record<string, number>>
  readonly lineage: Lineage
  /** The last reset of the evidence; null if there was none. */
  readonly begunBy: ToldReset | null
  /** What was found for older versions and before resets, the latest first. */
  readonly history: readonly {
    readonly lineage: Lineage
    readonly since: string | null
    readonly until: string | null
    readonly verdict: Verdict
    readonly requests: number
    /** The reset that ended it; null if a new version did. */
    readonly endedBy: ToldReset | null
  }[]
  readonly differences: readonly ExperimentDifference[]
  /** The number of different requests compared; `atLeast` if there may be more. */
  readonly inputs: { readonly distinct: number; readonly atLeast: boolean }
  readonly assumptions: readonly ExperimentAssumption[]
  /** How many lines of the mapping calls can show, and how many of those were seen. */
  readonly coverage: {
    readonly lines: number
    readonly seen: number
    readonly share: number
    readonly notSent: readonly NotSentMember[]
  }
  readonly exercised: readonly ExercisedLine[]
  /** The verdict in words; if it is `ready`, also what was never seen, and what v1 never gets. */
  readonly says: string
}

/** What became of an operation's calls: `calls` is the sum of `notDrawn`, `skips`, `unjudged` and `compared`. */
export interface CallAccount {
  readonly calls: number
  readonly notDrawn: number
  readonly skips: Readonly<Record<string, number>>
  readonly unjudged: Readonly<Record<string, number>>
  /** The sum of the members that follow. */
  readonly compared: number
  readonly errors: number
  readonly empty: number
  readonly unitless: number
  readonly repeated: number
  readonly units: number
}

export interface ExperimentDifference {
  readonly kind: string
  readonly path: string
  /** Set if v1 was not called. */
  readonly from?: 'round trip'
  readonly v1Path: string | null
  readonly requests: number
  readonly count: number
  /** How many of the requests had data that changed between the two answers. */
  readonly drift: number
  /** Why it does not count; null if it counts. */
  readonly ignored: string | null
  readonly details: Readonly<Record<string, number>> | null
  /** When it was first and last seen, ISO 8601; null if unknown. */
  readonly since: string | null
  readonly until: string | null
  readonly clients: { readonly distinct: number; readonly estimated: boolean }
  /** Who shows it, and what their requests have in common, change by change, in words. */
  readonly shownBy: readonly { readonly says: readonly string[] }[]
  /** The mapping line that covers it; null if none does. */
  readonly mapping: {
    readonly legacy: string | null
    readonly v1: string | null
    readonly change: string
    readonly reason: string | null
  } | null
  /**
   * The narrowest rules that would excuse it, how many exchanges they would excuse, and why some of its changes have none; null if it
   * does not count.
   */
  readonly excusing: {
    readonly rules: readonly IgnoreRule[]
    readonly requests: number
    readonly without?: readonly string[]
  } | null
}

/** A rule of the rollout file that keeps differences from counting. */
export interface IgnoreRule {
  readonly operation: string
  readonly path: string
  readonly kind?: string | undefined
  readonly details?: string | undefined
  readonly when?: Readonly<Record<string, boolean>> | undefined
  readonly client?: string | undefined
  readonly tolerance?: number | undefined
  readonly unordered?: boolean | undefined
  readonly until?: string | undefined
  readonly by?: string | undefined
  readonly why: string
}

/** A rule, and whether it is still of use. */
export interface RuleUse extends IgnoreRule {
  /** Whether its last day is not over yet. */
  readonly holds: boolean
  /** When a difference that it excuses was last seen, ISO 8601; null if never. */
  readonly lastExcused: string | null
  /** Whether it has excused nothing for 30 days. */
  readonly stale: boolean
}

/** A line of the mapping, how many compared calls showed it, and in how many of them the answers differed there. */
export interface ExercisedLine {
  readonly part: string
  readonly legacy: string
  readonly requests: number
  readonly differed: number
  /** Why it need not be seen, and who says so; null if it must be seen. */
  readonly waived: { readonly why: string; readonly by: string } | null
}

/** Something that compared requests had and v1 did not get. */
export interface NotSentMember {
  /** `request`: no line lists the member. `value`: v1 does not know its value. `other`: all names beyond the bound. */
  readonly part: 'request' | 'value' | 'other'
  readonly legacy: string
  readonly requests: number
  readonly clients: { readonly distinct: number; readonly estimated: boolean }
  /** Why it does not matter, and who says so; null if it does. */
  readonly waived: { readonly why: string; readonly by: string } | null
}

/** Whether the answers confirm an assumed mapping line. */
export interface ExperimentAssumption {
  readonly legacy: string
  readonly v1: string | null
  readonly change: string
  readonly reason: string | null
  /** How many exchanges show it and agree there, and how many differ there. */
  readonly matched: number
  readonly differed: number
  readonly standing: 'confirmed' | 'refuted' | 'untested'
}

/** The values at one place of two answers, as JSON; null if the side has no value there. */
export interface DifferenceExample {
  readonly kind: string
  readonly path: string
  /** When the call arrived, ISO 8601. */
  readonly at: string
  readonly control: string | null
  readonly candidate: string | null
  /** The call that showed it, as a shell command. */
  readonly curl: string
  /** The same call to the legacy service itself; unset if unknown. */
  readonly legacyCurl?: string | undefined
  /** The query that fills in the page Explain with the call. */
  readonly explain?: string | undefined
}

/** The state of the rollout file. */
export interface LoadedFile {
  /** ISO 8601; null if no file is configured. */
  readonly loadedAt: string | null
  /** Why its newest version was refused; null if that version is in effect. */
  readonly error: string | null
}

/** Whether comparison results are stored, and what is wrong if not. */
export interface ResultsHealth {
  /** Why results cannot be stored, and since when (ISO 8601); null if they are stored. */
  readonly failure: { readonly since: string; readonly reason: string } | null
  /** How far the clock has jumped, such as `100 days ahead of`; nothing is deleted meanwhile. Null if the clock is trusted. */
  readonly clock: string | null
}
