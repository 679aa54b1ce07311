import { changesOf, type Difference } from '../diff/difference.ts'
import type { Lineage } from '../lineage.ts'
import type { Observation } from '../observe-exchange.ts'
import { STRATA } from '../strata.ts'
import { countCircumstances } from './circumstances.ts'
import { oneTime } from './histogram.ts'
import type { OperationCounts } from './operation-counts.ts'

/** Returns what one exchange adds to the counts of a lineage. */
export function countExchange(observation: Observation, lineage: Lineage): OperationCounts {
  const { operation, outcome, stratum, differences, input, unit, client, at, durations } = observation
  const { assumptions, counts, coverage, notSent, writes, list } = observation
  const isCompared = outcome !== 'failed' && outcome !== 'skipped'
  const classes = differences.flatMap((difference, at) => classesOf(difference, observation, counts[at] === true))
  const standing = [...classes.keys()].filter((index) => classes[index]?.drift === 0)
  const showsContent = isCompared && stratum === 'content' && unit !== undefined
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
    patterns:
      !isCompared || standing.length === 0
        ? []
        : [{ stratum, classes: standing, requests: 1, ignored: outcome === 'ignored' }],
    unlisted: 0,
    inputs: input === undefined ? [] : [input],
    units: showsContent ? [unit] : [],
    unitCalls: showsContent ? 1 : 0,
    differingUnits: showsContent && standing.length > 0 ? [unit] : [],
    clients: isCompared && client !== undefined ? [[client, 1]] : [],
    lists: list === undefined ? [] : [[list.id, list.says, list.at, isCompared ? 1 : 0]],
    since: isCompared ? (at ?? null) : null,
    until: isCompared ? (at ?? null) : null,
    durations: {
      control: durations === undefined ? [] : oneTime(durations.control),
      candidate: durations === undefined ? [] : oneTime(durations.candidate),
    },
    roundTrips: writes?.isTaken === true ? 1 : 0,
    droppedMembers: Object.fromEntries(writes?.dropped.map((path) => [path, 1]) ?? []),
    assumptions: assumptions.map(({ line: { part, legacy, change }, holds }) => ({
      part,
      legacy: legacy ?? '',
      change,
      matched: holds ? 1 : 0,
      differed: holds ? 0 : 1,
    })),
    coverage: coverage.map(({ part, legacy, differs }) => ({ part, legacy, requests: 1, differed: differs ? 1 : 0 })),
    circumstances: countCircumstances(observation),
    notSent: notSent.map((name) => ({ ...name, requests: 1, clients: client === undefined ? [] : [client] })),
  }
}

/** Returns the classes of a difference: one per change that is judged by itself, or a single one if the difference is drift. */
function classesOf(
  difference: Difference,
  { line, client, at }: Observation,
  counts: boolean,
): OperationCounts['classes'] {
  const { part, kind, path, from, count, details, standing, excusedBy } = difference
  const seen = {
    lines: line === undefined ? [] : [line],
    clients: client === undefined ? [] : [client],
    ...{ since: at ?? null, until: at ?? null },
  }
  const isDrift = standing === 'drift'
  return (isDrift ? [undefined] : changesOf(difference)).map((detail) => ({
    ...{ part, kind, path, from, detail, excusedBy, requests: 1, drift: isDrift ? 1 : 0 },
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
