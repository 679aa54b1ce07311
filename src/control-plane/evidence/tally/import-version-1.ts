import { z } from 'zod'
import { DAY_MS } from '../../../common/time.ts'
import { query, type Work } from '../../store/sql.ts'
import { KINDS } from '../diff/difference.ts'
import type { Lineage } from '../lineage.ts'
import { NO_CIRCUMSTANCES } from './circumstances.ts'
import { NONE_DIFFERING } from './differing-units.ts'
import type { OperationCounts } from './operation-counts.ts'

const count = z.int().nonnegative()

/** The parts of the counts of version 1 that are still read. */
const countsOf1 = z.object({
  ...{ operation: z.string(), matched: count, failed: count, skipped: count, unlisted: count },
  classes: z.array(
    z.object({
      ...{ part: z.enum(['status', 'answer', 'error']), kind: z.enum(KINDS), path: z.string(), requests: count, count },
      ...{ details: z.record(z.string(), count), lines: z.array(count) },
    }),
  ),
  patterns: z.array(z.object({ classes: z.array(count), requests: count })),
  settled: z.object({ ignored: count, mismatched: count }),
  inputs: z.array(count),
  assumptions: z.array(
    z.object({ part: z.string(), legacy: z.string(), change: z.string(), matched: count, differed: count }),
  ),
})

/** Version 1 had no lineages, and nothing that proves a match today, so all its results are one old lineage. */
const VERSION_1: Lineage = { mapping: 'version 1', v1: null, legacy: null }

/**
 * Reads the results of state files of version 1, which the releases 0.1.0 and 0.2.0 wrote: a row for each operation and day. Leaves out rows
 * that cannot be read.
 */
export function* countsOfVersion1(): Work<readonly OperationCounts[]> {
  const rows = yield* query<Readonly<Record<'day' | 'counts', string>>>('SELECT day, counts FROM counts')
  return rows.flatMap(({ counts, day }) => upgraded(counts, day) ?? [])
}

function upgraded(json: string, day: string): OperationCounts | undefined {
  const { data } = countsOf1.safeParse(parsed(json))
  if (data === undefined) return undefined
  const { matched, settled, classes, patterns, ...others } = data
  const since = Date.parse(day)
  const none = { matched: 0, ignored: 0, mismatched: 0 }
  return {
    ...others,
    lineage: VERSION_1,
    ...{ unjudged: {}, skips: {}, notDrawn: 0, refusals: 0, unitCalls: 0, lists: [] },
    judged: { content: { matched, ...settled }, empty: none, error: none },
    classes: classes.map((one) => ({ ...one, drift: 0, since: null, until: null, clients: [] })),
    patterns: patterns.map((pattern) => ({ ...pattern, stratum: 'content', ignored: false })),
    ...{
      ...NONE_DIFFERING,
      units: [],
      clients: [],
      durations: { control: [], candidate: [] },
      coverage: [],
      notSent: [],
      circumstances: NO_CIRCUMSTANCES,
    },
    ...{ roundTrips: 0, droppedMembers: {} },
    ...(Number.isNaN(since) ? { since: null, until: null } : { since, until: since + DAY_MS - 1 }),
  }
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
