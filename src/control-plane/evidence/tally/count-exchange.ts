import { oneTime } from '../../../common/histogram.ts'
import { changesOf, type Difference } from '../diff/difference.ts'
import type { Lineage } from '../lineage.ts'
import type { Observation } from '../observation.ts'
import { STRATA } from '../observation.ts'
import type { CheckedCounts } from './checked-writes.ts'
import { countCircumstances } from './circumstances.ts'
import { changeKey, placeOf } from './difference-classes.ts'
import { type CountedUnits, NONE_DIFFERING, shownBy } from './differing-units.ts'
import type { OperationCounts } from './operation-counts.ts'
import { patternId } from './patterns.ts'

/** Returns what one exchange adds to the counts of a lineage. */
export function countExchange(observation: Observation, lineage: Lineage): OperationCounts {
  const { operation, outcome, stratum, differences, input, unit, client, at, durations } = observation
  const { assumptions, counts, coverage, notSent, writes, list } = observation
  const isCompared = outcome !== 'failed' && outcome !== 'skipped'
  const classes = differences.flatMap((difference, at) => classesOf(difference, observation, counts[at] === true))
  const standing = [...classes.keys()].filter((index) => classes[index]?.drift === 0)
  // A check proves nothing about v1, so what was checked is counted apart.
  const isSent = isCompared && writes === undefined
  const showsContent = isSent && stratum === 'content' && unit !== undefined
  const pattern = isCompared && standing.length > 0 ? patternOf(observation, classes, standing) : undefined
  return {
    operation,
    lineage,
    failed: outcome === 'failed' ? 1 : 0,
    skipped: outcome === 'skipped' ? 1 : 0,
    unjudged: observation.isUnjudged ? { [observation.reason ?? '']: 1 } : {},
    skips: outcome === 'skipped' && !observation.isUnjudged ? { [observation.reason ?? '']: 1 } : {},
    notDrawn: observation.notDrawn ?? 0,
    refusals: observation.isRefusal === true ? 1 : 0,
    judged: judgedOf(isCompared && standing.length === 0 ? stratum : undefined, differences.length > 0),
    classes,
    patterns: pattern === undefined ? [] : [pattern],
    unlisted: 0,
    inputs: input === undefined || writes !== undefined ? [] : [input],
    units: showsContent ? [unit] : [],
    unitCalls: showsContent ? 1 : 0,
    ...differingUnitsOf(showsContent ? unit : undefined, pattern),
    clients: isSent && client !== undefined ? [[client, 1]] : [],
    lists: list === undefined ? [] : [[list.id, list.says, list.at, isCompared ? 1 : 0]],
    since: isSent ? (at ?? null) : null,
    until: isSent ? (at ?? null) : null,
    durations: {
      control: durations === undefined ? [] : oneTime(durations.control),
      candidate: durations === undefined ? [] : oneTime(durations.candidate),
    },
    roundTrips: writes?.isTaken === true ? 1 : 0,
    copied: isCompared && observation.isCopied === true ? 1 : 0,
    droppedMembers: Object.fromEntries(writes?.dropped.map((path) => [path, 1]) ?? []),
    ...(writes !== undefined && { checked: checkedOnce(observation) }),
    assumptions: assumptions.map(({ line: { part, legacy, change }, holds }) => ({
      part,
      legacy: legacy ?? '',
      change,
      matched: holds ? 1 : 0,
      differed: holds ? 0 : 1,
    })),
    coverage: coverage.map(({ part, legacy, differs }) => ({ part, legacy, requests: 1, differed: differs ? 1 : 0 })),
    circumstances: countCircumstances(observation),
    notSent: notSent.map(({ part, legacy }) => ({ part, legacy, requests: 1, clients: listOf(client) })),
  }
}

const listOf = (hash: number | undefined): readonly number[] => (hash === undefined ? [] : [hash])

const checkedOnce = ({ unit, input, client, at }: Observation): CheckedCounts => ({
  ...{ writes: 1, units: listOf(unit), inputs: listOf(input), clients: listOf(client) },
  ...{ since: at ?? null, until: at ?? null },
})

type ShownPattern = OperationCounts['patterns'][number] & { readonly id: string }

/** Returns the pattern of an exchange that shows these classes. */
function patternOf(
  { stratum, outcome }: Observation,
  classes: OperationCounts['classes'],
  standing: readonly number[],
): ShownPattern {
  const shown = standing.flatMap((at) => classes[at] ?? [])
  const pattern = { stratum, classes: standing, requests: 1, ignored: outcome === 'ignored' }
  return { ...pattern, id: patternId(pattern, shown.map(placeOf), shown.map(changeKey)) }
}

/** @param unit undefined: the exchange is of no unit. */
function differingUnitsOf(unit: number | undefined, pattern: ShownPattern | undefined): CountedUnits {
  if (unit === undefined || pattern === undefined) return NONE_DIFFERING
  const [units, at] = pattern.ignored ? [[], []] : [[unit], [0]]
  return {
    ...{ differingUnits: [unit], countedUnits: units },
    shownByUnits: { sets: [[shownBy(pattern)]], differing: [0], counted: at },
  }
}

/**
 * Returns the classes of a difference: one per change that is judged by itself, or a single one if the difference is drift. Calls
 * that send other members of the request show other classes, because a rule may be about such calls only.
 */
function classesOf(
  difference: Difference,
  { line, client, at, sent }: Observation,
  counts: boolean,
): OperationCounts['classes'] {
  const { part, kind, path, from, count, details, standing, excusedBy, isPure, widenedBy } = difference
  const seen = {
    lines: line === undefined ? [] : [line],
    clients: client === undefined ? [] : [client],
    ...{ since: at ?? null, until: at ?? null },
  }
  const isDrift = standing === 'drift'
  return (isDrift ? [undefined] : changesOf(difference)).map((detail) => ({
    ...{ part, kind, path, from, detail, excusedBy, requests: 1, drift: isDrift ? 1 : 0 },
    // Drift and what a rule has excused are ignored, whatever was sent; a member is dropped from every call that sends it.
    ...(!isDrift && excusedBy === undefined && kind !== 'dropped' && { isPure, widenedBy, sent }),
    counting: counts ? 1 : 0,
    ...seen,
    ...(detail === undefined
      ? { count, details: details ?? {} }
      : { count: details?.[detail] ?? 0, details: { [detail]: details?.[detail] ?? 0 } }),
  }))
}

/** Counts one exchange that is judged for good, in the stratum `counted`; undefined: counts nothing. */
function judgedOf(counted: Observation['stratum'] | undefined, hasDrifted: boolean): OperationCounts['judged'] {
  const none = { matched: 0, ignored: 0, mismatched: 0 }
  const one = { ...none, [hasDrifted ? 'ignored' : 'matched']: 1 }
  return Object.fromEntries(STRATA.map((name) => [name, name === counted ? one : none])) as OperationCounts['judged']
}
