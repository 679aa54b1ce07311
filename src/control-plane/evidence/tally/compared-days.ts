import { z } from 'zod'
import { dayOf } from '../../../common/time.ts'
import type { Engine } from '../../store/engine.ts'
import { type Delta, documentsAfter, type Kind } from '../../store/ledger.ts'
import { KEPT_DAYS, type Kept } from '../../store/retention.ts'
import type { Observation } from '../observation.ts'

/** The compared calls of all operations that legacy answered with content, and how many matched by the rules of that day. */
const counts = z.object({ compared: z.int().nonnegative(), matched: z.int().nonnegative() }).readonly()
type DayCounts = z.output<typeof counts>

/** The comparisons of calls that were made on a day (UTC, `YYYY-MM-DD`). No later rule changes them. */
export interface ComparedDay extends DayCounts {
  readonly day: string
}

/** Counts by day. */
export const COMPARED_DAYS: Kind<DayCounts> = {
  name: 'compared-day',
  add: (a, b) => ({ compared: a.compared + b.compared, matched: a.matched + b.matched }),
  parse: (json) => counts.parse(json),
}

export const KEPT_COMPARED_DAYS: Kept = {
  ...{ table: 'ledger', key: 'kind, key', column: 'at', days: KEPT_DAYS, where: `kind = '${COMPARED_DAYS.name}'` },
}

/** Returns what one exchange adds to its day; undefined: nothing. */
export function comparedOn(observation: Observation): ComparedDay | undefined {
  const { outcome, stratum, writes, at } = observation
  const isCompared = outcome !== 'failed' && outcome !== 'skipped' && writes === undefined
  if (!isCompared || stratum !== 'content' || at === undefined) return undefined
  return { day: dayOf(at), compared: 1, matched: outcome === 'mismatched' ? 0 : 1 }
}

/** Adds up days. */
export function sumOfDays(days: readonly ComparedDay[]): readonly ComparedDay[] {
  const sums = new Map<string, DayCounts>()
  for (const { day, ...said } of days) {
    const sum = sums.get(day)
    sums.set(day, sum === undefined ? said : COMPARED_DAYS.add(sum, said))
  }
  return [...sums].map(([day, sum]) => ({ day, ...sum }))
}

export const comparedDelta = ({ day, ...doc }: ComparedDay): Delta<DayCounts> => ({ key: day, part: 'all', doc })

/** Returns all stored days, the oldest first. @throws StateError */
export const storedDays = async (engine: Pick<Engine, 'transaction'>): Promise<readonly ComparedDay[]> =>
  (await engine.transaction(() => documentsAfter(COMPARED_DAYS, 0), 'read'))
    .map(({ key, doc }) => ({ day: key, ...doc }))
    .sort((a, b) => (a.day < b.day ? -1 : 1))
