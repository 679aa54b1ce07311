import { type Coverage, coverageOf, type ExercisedLine, exercisedLines, verdictInWords } from '../coverage/coverage.ts'
import { notSentMembers } from '../coverage/not-sent.ts'
import type { Expectations } from '../expected/expectations.ts'
import { type Lineage, lineageKey } from '../lineage.ts'
import { accountOf, type CallAccount, sumOf } from './call-account.ts'
import type { DifferenceClass } from './difference-classes.ts'
import { assumptionKey, exchangesIn, type LineageState, type OperationState } from './operation-state.ts'
import { shownPeriod } from './period.ts'
import { type DifferenceReport, differencesOf } from './report-differences.ts'
import { type Reset, type ToldReset, toldReset } from './resets.ts'
import {
  type Durations,
  durationsOf,
  listsIn,
  reasonsOf,
  resultsOf,
  strataOf,
  unexcusedRateIn,
  type WritesReport,
  writesOf,
} from './results-of.ts'
import { type CalledLists, type Demands, type Judgement, judge, type Verdict } from './verdict.ts'

/** Exchanges by outcome; `requests` is their sum. */
export interface Totals {
  readonly requests: number
  readonly matched: number
  readonly ignored: number
  readonly mismatched: number
  readonly failed: number
  readonly skipped: number
}

/** Whether the answers confirm an assumed mapping line. */
export interface AssumptionReport {
  /** The body of a success, or of an error. */
  readonly part: 'answer' | 'error'
  readonly legacy: string
  readonly v1: string | null
  readonly change: string
  readonly reason: string | null
  /** Exchanges whose answers show it and agree there. */
  readonly matched: number
  /** Exchanges whose answers differ there, whether that counts or not. */
  readonly differed: number
  /** `refuted`: a difference there counts. `confirmed`: at least one exchange matched, and none refutes it. Else `untested`. */
  readonly standing: 'confirmed' | 'refuted' | 'untested'
}

/** An operation as in `report.json`, with its members in that order. */
export interface OperationReport extends Judgement, WritesReport {
  readonly operation: string
  readonly totals: Totals
  /** The `matchRate` if neither rules nor losses excused anything. */
  readonly unexcusedRate: number
  /** One client's equal requests within an hour are one unit. `estimated`: there are too many units to count them exactly. */
  readonly units: { readonly distinct: number; readonly mismatched: number; readonly estimated: boolean }
  /** Compared exchanges that prove no match: errors, and successes without content. */
  readonly errors: { readonly matched: number; readonly mismatched: number }
  readonly empty: number
  /** How often exchanges could not be compared though they should have been, by reason. */
  readonly unjudged: Readonly<Record<string, number>>
  /** Compared exchanges that both sides refused alike, and of which nobody knows how they were answered before. */
  readonly refusals: number
  /** What became of each call. */
  readonly account: CallAccount
  /** The whole lists that clients called; null: it answers with none, or none was called. */
  readonly lists: CalledLists | null
  /** The clients that made the compared calls. `largestShare`: the share of the client with the most calls, 0 to 1. */
  readonly clients: { readonly distinct: number; readonly atLeast: boolean; readonly largestShare: number }
  /** When the first and the last compared call came, ISO 8601; null: unknown. */
  readonly since: string | null
  readonly until: string | null
  /** How long both services took for the compared calls; ms. Null: unknown. */
  readonly durations: Durations | null
  readonly differences: readonly DifferenceReport[]
  /** The number of different requests compared; `atLeast`: there may be more. */
  readonly inputs: { readonly distinct: number; readonly atLeast: boolean }
  readonly assumptions: readonly AssumptionReport[]
  /** How much of the mapping the compared exchanges showed, and what of their requests v1 did not get. */
  readonly coverage: Coverage
  /** Each line of the mapping that exchanges can show, and how often it was seen. */
  readonly exercised: readonly ExercisedLine[]
  /** The verdict in words; `ready` adds what was never seen, and what v1 never gets. */
  readonly says: string
  /** The versions that the results are about. */
  readonly lineage: Lineage
  /** The reset that the evidence began with; null: there was none. */
  readonly begunBy: ToldReset | null
  /** The results of older versions and before resets, the most recent first. */
  readonly history: readonly PastReport[]
}

/** The results of versions that no longer answer. */
interface PastReport {
  readonly lineage: Lineage
  readonly since: string | null
  readonly until: string | null
  readonly verdict: Verdict
  readonly requests: number
  /** The reset that ended it; null: another version did. */
  readonly endedBy: ToldReset | null
}

/** What an operation is judged by. */
interface JudgedBy {
  readonly expectations: Expectations
  readonly demands: Demands
  /** Its resets, in order. */
  readonly resets: readonly Reset[]
  /** The reader's time, in ms since the epoch. */
  readonly now: number
}

/**
 * Judges all counts of an operation's newest lineage by its current expectations.
 * @param before its older lineages, the most recent first. They prove nothing about the newest.
 */
export function reportOf(
  operation: string,
  { lineage, state }: LineageState,
  before: readonly LineageState[],
  by: JudgedBy,
): OperationReport {
  const { expectations, demands, resets, now } = by
  const reasons = reasonsOf(state, expectations)
  const clients = knownClients(state)
  const exercised = exercisedLines(expectations.toSee, state.coverage, demands.waive)
  const coverage = coverageOf(exercised, notSentMembers(state.notSent.counts(), demands.waive, clients))
  const results = resultsOf(state, reasons, coverage, by)
  const judgement = judge(results, demands)
  const { content, empty, error } = strataOf(state, reasons)
  const { failed, skipped } = state.totals
  const unjudged = state.unjudged.record()
  const ofAll = (outcome: keyof typeof content): number => content[outcome] + empty[outcome] + error[outcome]
  const outcomes = { matched: ofAll('matched'), ignored: ofAll('ignored'), mismatched: ofAll('mismatched') }
  const compared = sumOf(outcomes)
  const isCounting = (found: DifferenceClass): boolean => reasons.get(found) === null
  return {
    operation,
    totals: { requests: compared + failed + skipped, ...outcomes, failed, skipped },
    ...judgement,
    unexcusedRate: unexcusedRateIn(state, reasons),
    units: {
      distinct: results.units,
      mismatched: results.mismatchedUnits,
      estimated: state.units.count().estimated,
    },
    errors: { matched: error.matched + error.ignored, mismatched: error.mismatched },
    empty: sumOf(empty),
    unjudged,
    refusals: state.totals.refusals,
    account: accountOf({
      ...{ notDrawn: state.totals.notDrawn, skips: state.skips.record(), unjudged },
      ...{ notCompared: failed + skipped, compared },
      ...{ errors: sumOf(error), empty: sumOf(empty) },
      ...{ units: results.units, unitCalls: state.totals.unitCalls },
    }),
    lists: state.lists.size === 0 ? null : listsIn(state, now),
    clients: clientsOf(state),
    ...shownPeriod(state.period, now),
    durations: durationsOf(state, expectations),
    ...writesOf(state, reasons, now),
    differences: differencesOf(
      operation,
      expectations,
      {
        ...{ reasons, clients, patterns: state.patterns.values(), everSent: membersIn(exercised) },
        circumstances: state.circumstances.counts(),
      },
      now,
    ),
    inputs: { distinct: state.inputs.size, atLeast: state.inputs.isFull },
    assumptions: expectations.assumptions.map(({ part, line, isRefutedBy }) => {
      const { matched = 0, differed = 0 } = state.assumptions.get(assumptionKey(line)) ?? {}
      const isRefuted = state.classes.all().some((found) => isCounting(found) && isRefutedBy(found))
      const standing = isRefuted ? 'refuted' : matched > 0 ? 'confirmed' : 'untested'
      const { legacy, v1, change, reason } = line
      return { part, legacy, v1, change, reason, matched, differed, standing }
    }),
    ...{ coverage, exercised, says: verdictInWords(judgement.verdict, coverage, judgement.against) },
    lineage,
    begunBy: toldReset(resets.at(-1)),
    history: before.map((past) => pastReport(past, by)),
  }
}

function pastReport({ lineage, state }: LineageState, { expectations, demands, resets, now }: JudgedBy): PastReport {
  const coverage = coverageOf(exercisedLines(expectations.toSee, state.coverage, demands.waive))
  const results = resultsOf(state, reasonsOf(state, expectations), coverage, { expectations, now })
  const { verdict } = judge(results, demands)
  const requests = exchangesIn({ ...state.totals, judged: state.judged, patterns: state.patterns.values() })
  const endedBy = toldReset(resets.find(({ before }) => lineageKey(before.lineage) === lineageKey(lineage)))
  return { lineage, ...shownPeriod(state.period, now), verdict, requests, endedBy }
}

/** Returns the clients of an operation, in order; undefined: not all of them are known. */
function knownClients({ clients, checked }: OperationState): readonly number[] | undefined {
  if (clients.isFull || checked.clients.isFull) return undefined
  return [...new Set([...clients.keys(), ...checked.clients.keys()])].sort((a, b) => a - b)
}

/** Returns the members of the request that any compared call sent. */
const membersIn = (exercised: readonly ExercisedLine[]): readonly string[] =>
  exercised.flatMap(({ part, legacy, requests }) => (part === 'request' && requests > 0 ? [legacy] : []))

function clientsOf({ clients }: OperationState): OperationReport['clients'] {
  const all = clients.values()
  const requests = all.reduce((sum, one) => sum + one, 0)
  return {
    distinct: all.length,
    atLeast: clients.isFull,
    largestShare: requests === 0 ? 0 : Math.max(...all) / requests,
  }
}
