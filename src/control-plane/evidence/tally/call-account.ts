import { count, counted } from '../../../common/figures.ts'

/**
 * What became of an operation's calls. `calls` is the sum of `notDrawn`, `skips`, `unjudged` and `compared`; `compared` that of
 * `errors`, `empty`, `unitless`, `repeated` and `units`.
 */
export interface CallAccount {
  readonly calls: number
  /** Calls that were not selected for comparison, because `shadow` is below 1. They are not among the totals. */
  readonly notDrawn: number
  /** Calls that were not to be compared, and those that should have been and could not be, by reason. */
  readonly skips: Readonly<Record<string, number>>
  readonly unjudged: Readonly<Record<string, number>>
  readonly compared: number
  /** Compared calls that make no unit: legacy answered an error, or nothing; or no client's call was sent to both services. */
  readonly errors: number
  readonly empty: number
  readonly unitless: number
  /** Compared calls of a unit that an earlier call had made: the same client, the same request, the same hour. */
  readonly repeated: number
  /** An estimate if there are too many; then `repeated` is one too. */
  readonly units: number
}

/** What was counted of an operation's calls. */
interface CountedCalls extends Pick<CallAccount, 'notDrawn' | 'unjudged' | 'compared' | 'errors' | 'empty'> {
  /** Skipped calls whose reasons are stored. */
  readonly skips: Readonly<Record<string, number>>
  /** All calls that were skipped, failed or not judged. */
  readonly notCompared: number
  readonly units: number
  /** The compared calls that belong to units. */
  readonly unitCalls: number
}

/** The reason for skipped calls that an earlier version stored without one. */
const REASON_UNKNOWN = 'the reason was not stored'

/** Adds up what became of an operation's calls. */
export function accountOf({ units, unitCalls, notCompared, skips, ...counted }: CountedCalls): CallAccount {
  const { notDrawn, unjudged, compared, errors, empty } = counted
  const unknown = notCompared - sumOf(skips) - sumOf(unjudged)
  const made = Math.min(units, unitCalls)
  return {
    calls: notDrawn + notCompared + compared,
    ...counted,
    skips: unknown > 0 ? { ...skips, [REASON_UNKNOWN]: unknown } : skips,
    unitless: compared - errors - empty - unitCalls,
    repeated: unitCalls - made,
    units: made,
  }
}

export const sumOf = (times: Readonly<Record<string, number>>): number =>
  Object.values(times).reduce((sum, one) => sum + one, 0)

const WHY_NO_UNIT = [
  ['repeated', 'equal to another of the same client and hour'],
  ['unitless', 'not of a client'],
  ['errors', 'answered with an error by legacy'],
  ['empty', 'answered empty by legacy'],
] as const

/** Says what became of an operation's exchanges: `400 exchanges: 40 units; 360 not judged (both refused: 401)`. The numbers add up. */
export function accountInWords({ calls, skips, unjudged, units, ...others }: CallAccount): string {
  const named = (sums: CallAccount['skips'], outcome: string): readonly string[] =>
    Object.entries(sums).map(([reason, times]) => `${count(times)} ${outcome} (${reason})`)
  const unitless = WHY_NO_UNIT.flatMap(([name, says]) => (others[name] === 0 ? [] : [`${count(others[name])} ${says}`]))
  const causes = [...unitless, ...named(unjudged, 'not judged'), ...named(skips, 'skipped')]
  return `${counted(calls, 'exchange')}: ${[counted(units, 'unit'), ...causes].join('; ')}.`
}
