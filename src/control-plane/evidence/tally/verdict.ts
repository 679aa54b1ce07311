import { chosenPercent, count, counted, type Distinct, distinct, duration, percent } from '../../../common/figures.ts'
import { type Coverage, verdictInWords, type Waiver } from '../coverage/coverage.ts'
import { writesInWords } from '../writes/dropped-members.ts'
import type { OperationReport } from './operation-report.ts'
import { flawlessRun, lowerBoundOf } from './proven-share.ts'

export type Verdict = 'ready' | 'not ready' | 'insufficient data'

/** Whether an operation is proven: what all pages, reports and the dossier count as proven. Whom it is answered by does not matter. */
export const isProven = (judged: { readonly verdict: Verdict } | undefined): boolean => judged?.verdict === 'ready'

/** The results of an operation that its verdict depends on. */
export interface Results {
  /** The number of compared exchanges with content that match, and of all compared exchanges with content. */
  readonly matched: number
  readonly compared: number
  /** The number of units, and of those with a difference that counts. A unit is one client's equal requests within an hour. */
  readonly units: number
  /** Whether there are too many units to count them exactly. */
  readonly areUnitsEstimated?: boolean
  readonly mismatchedUnits: number
  /** Whether any class of difference counts, however rare it is. */
  readonly hasDifferences: boolean
  /** Whether it changes something: then both sides answer it only if one of them, or both, are copies of the services. */
  readonly isWrite?: boolean
  /** How many exchanges were compared with the answers of a copy of v1; unset: none. */
  readonly copied?: number
  /** The share of exchanges to be compared that could not be judged. */
  readonly unjudgedShare: number
  /** Of `of` exchanges, those that both sides refused alike, and of which nobody knows how they were answered before. Unset: none. */
  readonly refused?: { readonly requests: number; readonly of: number }
  /** The lists that clients call; unset: it has none. */
  readonly lists?: CalledLists
  /** How many of the mapping's lines to be seen were seen. */
  readonly coverage: Pick<Coverage, 'lines' | 'seen'>
  /** The number of different clients that called, and of different inputs. */
  readonly clients: number
  readonly inputs: number
  /** The time from the first to the last compared call, in hours; 0: unknown. */
  readonly hours: number
  /** When the last compared call came, in ms since the epoch; null: at no time that is believed. */
  readonly until: number | null
  /** The 95th percentiles of both sides; ms. Null: unknown. */
  readonly durations: {
    readonly control: { readonly p95: number }
    readonly candidate: { readonly p95: number }
    readonly allPages?: true
  } | null
}

/** The whole lists that clients called. */
export interface CalledLists {
  readonly called: number
  /** Whether there are more: the figures are of those that are kept. */
  readonly atLeast: boolean
  /** The parameters of those that were never compared, without values, with how many lists have them. */
  readonly neverCompared: Readonly<Record<string, number>>
}

/** What must be shown for the verdict `ready`. */
export interface Demands {
  /** The match rate to prove, from 0 to below 1. */
  readonly target: number
  /** The confidence with which to prove it, between 0 and 1. */
  readonly confidence: number
  /** The share that may be left unjudged. */
  readonly unjudged: number
  /** What else must have been seen. */
  readonly require?: Requirements | undefined
  /** Lines of the mapping that need not be seen. */
  readonly waive?: readonly Waiver[] | undefined
  /** Whether writes are sent to both sides, because these are copies of the services. Unset: they are not. */
  readonly sendsWrites?: boolean | undefined
  /** Whether writes that legacy has answered are sent to a copy of v1. Unset: they are not. */
  readonly sendsToCopy?: boolean | undefined
  /** The last compared call must have come after `since`, in ms since the epoch, that is within `hours`. Undefined: at any time. */
  readonly fresh?: { readonly since: number; readonly hours: number } | undefined
}

/** The least that must have been seen; undefined members require nothing. */
export interface Requirements {
  /** The share of the mapping's lines that were seen, 0 to 1. */
  readonly coverage?: number | undefined
  readonly clients?: number | undefined
  readonly inputs?: number | undefined
  /** The time from the first to the last compared call. */
  readonly hours?: number | undefined
  /** v1's 95th percentile may be this many times legacy's, plus 20 ms. */
  readonly slowdown?: number | undefined
}

/** The verdict on an operation, with the figures behind it. */
export interface Judgement extends Pick<Demands, 'target' | 'confidence'> {
  readonly verdict: Verdict
  /** The share of matches among the compared exchanges; 0 if there are none. */
  readonly matchRate: number
  /** The lower bound of the share of matching units, with `confidence`. */
  readonly lowerBound: number
  /** How many more units even a flawless run needs to reach the target; 0: there are enough. */
  readonly needed: number
  /** What keeps the operation from `ready` although no difference counts, in words. Too few units come first. */
  readonly missing: readonly string[]
  /** Who answered in v1's place: `a copy`; null: v1 itself, or nobody yet. */
  readonly against: string | null
}

/** The answers of a test installation of v1 stood in for v1's. */
const A_COPY = 'a copy'

/** What is missing for a write that was never sent to both sides (docs/decisions/0066). */
const REPLAY_OF_WRITES = 'writes compared with a copy of v1, or a replay against copies of both services'

/** Judges an operation. It is `ready` only if nothing that counts differs and enough was shown (docs/decisions/0061). */
export function judge(results: Results, demands: Demands): Judgement {
  const { target, confidence, unjudged } = demands
  const { matched, compared, units, mismatchedUnits, hasDifferences, isWrite, unjudgedShare } = results
  const run = flawlessRun(target, confidence)
  const isCopied = isWrite === true && (results.copied ?? 0) > 0
  const isCompared = isWrite !== true || isCopied || demands.sendsToCopy === true || demands.sendsWrites === true
  const missing = !isCompared
    ? [REPLAY_OF_WRITES]
    : [
        ...(units < run ? [unitsOf({ distinct: units, estimated: results.areUnitsEstimated }, run)] : []),
        ...(unjudgedShare > unjudged ? [reached('judged', 1 - unjudgedShare, 1 - unjudged)] : []),
        // Without a unit, that is what is missing.
        ...(results.refused === undefined || units === 0 ? [] : refusedIn(results.refused)),
        ...(results.lists === undefined ? [] : neverComparedIn(results.lists)),
        ...notSeen(results, demands),
      ]
  const lowerBound = lowerBoundOf(units - mismatchedUnits, units, confidence)
  const isEnough = missing.length === 0 && lowerBound >= target
  return {
    verdict: hasDifferences ? 'not ready' : isEnough ? 'ready' : 'insufficient data',
    ...{ target, confidence, lowerBound, missing },
    matchRate: compared === 0 ? 0 : matched / compared,
    needed: Math.max(0, run - units),
    against: isCopied ? A_COPY : null,
  }
}

/** The most groups of lists that are named. */
const NAMED = 3

/** Most answers must be more than equal refusals, if nobody knows whether the calls were refused before. */
const refusedIn = ({ requests, of }: NonNullable<Results['refused']>): readonly string[] =>
  requests * 2 <= of ? [] : [`answers that are no refusal: both services refused ${requests} of ${of} calls alike`]

function neverComparedIn({ called, atLeast, neverCompared }: CalledLists): readonly string[] {
  const groups = Object.entries(neverCompared)
  const lists = groups.reduce((sum, [, times]) => sum + times, 0)
  if (lists === 0) return []
  const named = groups.slice(0, NAMED).map(([says, times]) => (times === 1 ? says : `${says} × ${times}`))
  const more = groups.length > NAMED ? ['…'] : []
  return [
    `${lists} of ${atLeast ? 'at least ' : ''}${called} lists were never compared: ${[...named, ...more].join('; ')}`,
  ]
}

/** Returns which requirements are not met, in words. */
function notSeen(results: Results, { require = {}, fresh }: Demands): readonly string[] {
  const names = ['clients', 'inputs', 'hours'] as const
  const lacking: string[] = [
    ...uncovered(results.coverage, require.coverage),
    ...names.flatMap((name) => {
      const least = require[name]
      return least === undefined || results[name] >= least
        ? []
        : [`${name} ${count(Math.floor(results[name]))} of ${count(least)}`]
    }),
  ]
  if (require.slowdown !== undefined && !isWithinTime(results.durations, require.slowdown)) {
    lacking.push(slowdownOf(results.durations, require.slowdown))
  }
  const isOld = fresh !== undefined && (results.until ?? 0) < fresh.since
  return isOld ? [...lacking, `a comparison in the last ${counted(fresh.hours, 'hour')}`] : lacking
}

/** Returns the coverage requirement if it is not met: `coverage 77.77 % of 90 %`. */
function uncovered({ lines, seen }: Results['coverage'], least = 0): readonly string[] {
  const isMet = lines === 0 || seen / lines >= least
  return isMet ? [] : [reached('coverage', seen / lines, least)]
}

/** Added to the allowed time, so that v1 is never slow while it takes no longer than this. */
const ALWAYS_MS = 20

const isWithinTime = (durations: Results['durations'], slowdown: number): boolean =>
  durations !== null && durations.candidate.p95 <= durations.control.p95 * slowdown + ALWAYS_MS

function slowdownOf(durations: Results['durations'], slowdown: number): string {
  if (durations === null) return 'durations of both services'
  const { control, candidate, allPages } = durations
  const times = Math.ceil((candidate.p95 / control.p95) * 100) / 100
  return `p95 of v1${allPages ? ' for all pages' : ''} ${duration(candidate.p95)}, legacy ${duration(control.p95)}: ${times} of ${slowdown} times`
}

/** `units 298 of 299` */
const unitsOf = (units: Distinct, run: number): string => `units ${distinct(units)} of ${count(run)}`

const reached = (what: string, share: number, limit: number): string =>
  `${what} ${percent(share, limit)} of ${chosenPercent(limit)}`

/** The verdict on all operations together: whether each reaches its target, all at once, with this confidence. */
export interface OverallJudgement {
  readonly verdict: Verdict
  readonly confidence: number
  /** How many operations can be compared, and how many of them are proven: each by itself is `ready`. */
  readonly of: number
  readonly ready: number
  /** How many of them have enough units for all operations to hold at once. */
  readonly together: number
  /** What is missing for that, by operation. */
  readonly missing: readonly string[]
  /** The verdict in words; `ready` adds what was never seen, and what v1 never gets, of all operations. */
  readonly says: string
}

type Judged = Pick<
  OperationReport,
  'operation' | 'verdict' | 'target' | 'needed' | 'missing' | 'units' | 'coverage' | 'against'
> &
  Parameters<typeof writesInWords>[0]

/**
 * Judges all operations that can be compared together, by their reports. Each must reach its target at a higher confidence, so that
 * all of them together reach the required one (C. E. Bonferroni, 1936): 561 units for 14 operations, 0.99 and 0.95. What differs in any
 * other operation, such as a write that was only checked, is a veto too. What is proven counts, even if it can no longer be compared, as a
 * write whose copy is gone: so all pages count the same.
 */
export function judgeOverall(
  reports: readonly Judged[],
  comparableNow: readonly string[],
  confidence: number,
): OverallJudgement {
  const proven = reports.filter(isProven).map(({ operation }) => operation)
  const comparable = [...new Set([...comparableNow, ...proven])]
  const ofEach = 1 - (1 - confidence) / Math.max(comparable.length, 1)
  const judged = comparable.map((id) => reports.find(({ operation }) => operation === id))
  const missing = judged.flatMap((report, at) => {
    const lacking = report === undefined ? 'not called' : lackingOf(report, ofEach)
    return lacking === '' ? [] : [`${comparable[at]}: ${lacking}`]
  })
  const ready = judged.filter(isProven).length
  const together = comparable.length - missing.length
  const others = reports.filter(({ operation, verdict }) => verdict === 'not ready' && !comparable.includes(operation))
  const differs = others.length > 0 || judged.some((report) => report?.verdict === 'not ready')
  const isAll = comparable.length > 0 && missing.length === 0
  const verdict = differs ? 'not ready' : isAll ? 'ready' : 'insufficient data'
  const sumOf = (name: 'lines' | 'seen'): number =>
    judged.reduce((sum, report) => sum + (report?.coverage[name] ?? 0), 0)
  const notSent = judged.flatMap((report) =>
    (report?.coverage.notSent ?? []).map((member) => ({ ...member, operation: report?.operation ?? '' })),
  )
  const says = verdictInWords(verdict, { lines: sumOf('lines'), seen: sumOf('seen'), notSent }, againstIn(judged))
  const refuted = others.map((report) => `${report.operation}: ${lackingOf(report, ofEach)}`)
  return { verdict, confidence, ready, of: comparable.length, together, missing: [...missing, ...refuted], says }
}

/** Says who answered in v1's place, and for which operations; null: v1 itself answered for all. */
function againstIn(judged: readonly (Judged | undefined)[]): string | null {
  const [first, ...others] = judged.filter((report) => (report?.against ?? null) !== null) as readonly Judged[]
  if (first === undefined) return null
  const names = [first, ...others].map(({ operation }) => operation)
  return names.length === judged.length ? first.against : `${first.against}: ${names.join(', ')}`
}

/** Returns what an operation still needs to reach its target at a confidence; empty: nothing. */
function lackingOf(report: Judged, confidence: number): string {
  const { verdict, target, needed, missing, units } = report
  if (verdict === 'not ready') return [verdict, writesInWords(report)].filter((text) => text !== '').join(': ')
  const run = flawlessRun(target, confidence)
  const others = needed > 0 ? missing.slice(1) : missing
  return [...(units.distinct < run ? [unitsOf(units, run)] : []), ...others].join(', ')
}
