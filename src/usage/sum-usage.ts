import { DAY_MS } from '../common/time.ts'
import { inSlices, nextTurn } from '../observe/in-slices.ts'
import { addUsage } from './add-usage.ts'
import { sortInSlices } from './sort-in-slices.ts'
import { NOTHING_SEEN, type OperationUsage, type UsageRow, type WeekOfUsage } from './usage.ts'
import type { UsageQuery } from './usage-store.ts'

/** By client, then by operation. */
type ByName<T> = Map<string, Map<string, T>>

/** Adds unstored rows to stored ones, the most calls first. In slices, because there may be many. */
export async function addRows(
  stored: readonly OperationUsage[],
  rows: Iterable<UsageRow>,
  { since, client, operation, isSummary }: UsageQuery,
): Promise<readonly OperationUsage[]> {
  const added: ByName<OperationUsage> = new Map()
  await inSlices(rows, ({ day, brownouts: _, ...counted }) => {
    const isWanted =
      day >= since &&
      (client === undefined || counted.client === client) &&
      (operation === undefined || counted.operation === operation)
    if (!isWanted) return
    const row = isSummary === true ? { ...counted, seen: NOTHING_SEEN } : counted
    const known = added.get(row.client)?.get(row.operation)
    set(added, row, known === undefined ? row : { ...row, ...addUsage(known, row) })
  })
  const both = await inSlices(stored, (row) => {
    const more = taken(added, row)
    return more === undefined ? row : { ...row, ...addUsage(row, more) }
  })
  return sortInSlices([...both, ...left(added)], (a, b) => b.calls - a.calls)
}

const WEEKS = 12

/** Adds the calls of unstored rows to the weeks. In slices, because there may be many. @param now ms since the epoch. */
export async function addToday(
  stored: readonly WeekOfUsage[],
  rows: Iterable<UsageRow>,
  now: number,
): Promise<readonly WeekOfUsage[]> {
  const today = Math.floor(now / DAY_MS)
  const weeks = Array.from({ length: WEEKS }, (): ByName<WeekOfUsage> => new Map())
  await inSlices(rows, ({ day, client, operation, calls }) => {
    const weeksAgo = Math.max(Math.floor((today - Date.parse(day) / DAY_MS) / 7), 0)
    const week = weeks[weeksAgo]
    if (week === undefined) return
    const known = week.get(client)?.get(operation)?.calls ?? 0
    set(week, { client, operation }, { client, operation, weeksAgo, calls: known + calls })
  })
  const both = await inSlices(stored, (row) => {
    const more = taken(weeks[row.weeksAgo] ?? new Map<string, never>(), row)
    return more === undefined ? row : { ...row, calls: row.calls + more.calls }
  })
  await nextTurn()
  return [...both, ...weeks.flatMap(left)]
}

type Names = Pick<WeekOfUsage, 'client' | 'operation'>

function set<T>(all: ByName<T>, { client, operation }: Names, value: T): void {
  const ofClient = all.get(client) ?? new Map<string, T>()
  all.set(client, ofClient)
  ofClient.set(operation, value)
}

/** Removes and returns a value. */
function taken<T>(all: ByName<T>, { client, operation }: Names): T | undefined {
  const ofClient = all.get(client)
  const value = ofClient?.get(operation)
  ofClient?.delete(operation)
  return value
}

const left = <T>(all: ByName<T>): readonly T[] => [...all.values()].flatMap((ofClient) => [...ofClient.values()])
