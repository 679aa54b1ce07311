import type { Coverage, Waiver } from '../coverage/coverage.ts'
import { flawlessRun, lowerBoundOf } from './clopper-pearson.ts'

export type Verdict = 'ready' | 'not ready' | 'insufficient data'

/** What is known of an operation, as far as its verdict depends on it. */
export interface Results {
  /** Exchanges that show something and match, of all that show something and were compared. */
  readonly matched: number
  readonly compared: number
  /** Different clients' different requests, by the hour; and those of them that a counted difference was seen in. */
  readonly units: number
  readonly mismatchedUnits: number
  /** Some class of difference counts, however rare it is. */
  readonly hasDifferences: boolean
  /** It changes something: only a replay against copies of both services sends it to both. */
  readonly isWrite?: boolean
  /** Of what was to be compared, the share that could not be judged. */
  readonly unjudgedShare: number
  /** Of the lines of the mapping that are to be seen, those that were. */
  readonly coverage: Pick<Coverage, 'lines' | 'seen'>
  /** How many different clients called, and with how many different inputs. */
  readonly clients: number
  readonly inputs: number
  /** From the first to the last compared call, in hours; 0: nobody knows. */
  readonly hours: number
  /** When the last compared call came, in ms since the epoch; null: nobody knows. */
  readonly until: number | null
  /** The 95th percentiles of both sides; ms. Null: nobody knows. */
  readonly durations: {
    readonly control: { readonly p95: number }
    readonly candidate: { readonly p95: number }
  } | null
}

/** What has to be shown. */
export interface Demands {
  /** The match rate to prove, from 0 to below 1. */
  readonly target: number
  /** With which confidence, between 0 and 1. */
  readonly confidence: number
  /** The share that may be left unjudged. */
  readonly unjudged: number
  /** What must have been seen besides. */
  readonly require?: Requirements | undefined
  /** Lines of the mapping that need not be seen. */
  readonly waive?: readonly Waiver[] | undefined
  /** Whether writes are sent to both sides, which are copies of the services. Unset: they are not. */
  readonly sendsWrites?: boolean | undefined
  /** The last compared call must have come since then, in ms since the epoch: within so many hours. Undefined: whenever. */
  readonly fresh?: { readonly since: number; readonly hours: number } | undefined
}

/** What must have been seen, at least; what is undefined need not have been. */
export interface Requirements {
  /** The share of the mapping's lines that were seen, 0 to 1. */
  readonly coverage?: number | undefined
  readonly clients?: number | undefined
  readonly inputs?: number | undefined
  /** From the first to the last compared call. */
  readonly hours?: number | undefined
  /** v1 may take so many times as long as legacy, plus 20 ms: the 95th percentiles. */
  readonly slowdown?: number | undefined
}

/** The verdict on an operation, with the figures behind it. */
export interface Judgement extends Pick<Demands, 'target' | 'confidence'> {
  readonly verdict: Verdict
  /** The share of matches among the compared exchanges; 0 if there are none. */
  readonly matchRate: number
  /** The share of matching units is at least so large, with `confidence`. */
  readonly lowerBound: number
  /** Units still missing before even a flawless run could reach the target; 0: there are enough. */
  readonly needed: number
  /** What keeps it from `ready` although no difference counts, in words; units, if there are too few, come first. */
  readonly missing: readonly string[]
}

/** What a write lacks that was never sent to both sides (docs/decisions/0066). */
const REPLAY_OF_WRITES = 'a replay of writes against copies of both services'

/** Judges an operation. It is `ready` only if nothing that counts differs and enough was shown (docs/decisions/0061). */
export function judge(results: Results, demands: Demands): Judgement {
  const { target, confidence, unjudged } = demands
  const { matched, compared, units, mismatchedUnits, hasDifferences, isWrite, unjudgedShare } = results
  const run = flawlessRun(target, confidence)
  const missing =
    isWrite === true && demands.sendsWrites !== true
      ? [REPLAY_OF_WRITES]
      : [
          ...(units < run ? [`units ${units} of ${run}`] : []),
          ...(unjudgedShare > unjudged ? [`judged ${percent(1 - unjudgedShare)} of ${percent(1 - unjudged)}`] : []),
          ...notSeen(results, demands),
        ]
  const lowerBound = lowerBoundOf(units - mismatchedUnits, units, confidence)
  const isProven = missing.length === 0 && lowerBound >= target
  return {
    verdict: hasDifferences ? 'not ready' : isProven ? 'ready' : 'insufficient data',
    ...{ target, confidence, lowerBound, missing },
    matchRate: compared === 0 ? 0 : matched / compared,
    needed: Math.max(0, run - units),
  }
}

/** Returns which requirements are not met, in words. */
function notSeen(results: Results, { require = {}, fresh }: Demands): readonly string[] {
  const names = ['clients', 'inputs', 'hours'] as const
  const lacking: string[] = [
    ...uncovered(results.coverage, require.coverage),
    ...names.flatMap((name) => {
      const least = require[name]
      return least === undefined || results[name] >= least ? [] : [`${name} ${Math.floor(results[name])} of ${least}`]
    }),
  ]
  if (require.slowdown !== undefined && !isWithinTime(results.durations, require.slowdown)) {
    lacking.push(slowdownOf(results.durations, require.slowdown))
  }
  const isOld = fresh !== undefined && results.until !== null && results.until < fresh.since
  return isOld ? [...lacking, `a comparison in the last ${fresh.hours} hours`] : lacking
}

/** Returns the requirement of coverage, unless it is met; the share is rounded down: `coverage 0.77 of 0.9`. */
function uncovered({ lines, seen }: Results['coverage'], least = 0): readonly string[] {
  const isMet = lines === 0 || seen / lines >= least
  return isMet ? [] : [`coverage ${Math.floor((seen * 100) / lines) / 100} of ${least}`]
}

/** What takes no longer than this is not slow, however many times as long it is. */
const ALWAYS_MS = 20

const isWithinTime = (durations: Results['durations'], slowdown: number): boolean =>
  durations !== null && durations.candidate.p95 <= durations.control.p95 * slowdown + ALWAYS_MS

function slowdownOf(durations: Results['durations'], slowdown: number): string {
  if (durations === null) return 'durations of both services'
  const { control, candidate } = durations
  return `p95 of v1 ${candidate.p95} ms, legacy ${control.p95} ms: ${(candidate.p95 / control.p95).toFixed(1)} of ${slowdown} times`
}

const percent = (share: number): string => `${Math.floor(share * 10_000) / 100} %`
