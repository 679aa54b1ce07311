import { inSlices } from '../../observe/in-slices.ts'
import type { TrafficSnapshot } from '../../observe/traffic.ts'
import { StateError } from '../../state/state-error.ts'
import type { KnownUsage } from '../../usage/stored-usage.ts'
import { NOTHING_SEEN, type OperationUsage } from '../../usage/usage.ts'
import type { DashboardSources } from './sources.ts'

/** Waits for a read from the state; undefined if it cannot be read now. */
export async function unlessAway<Read>(read: Promise<Read>): Promise<Read | undefined> {
  try {
    return await read
  } catch (error) {
    if (error instanceof StateError) return undefined
    throw error
  }
}

/** Who calls what. */
export interface KnownCalls {
  readonly rows: readonly OperationUsage[]
  /** Set if usage cannot be read now: the calls are those counted since then. Undefined if they are those of the requested days. */
  readonly countedSince: number | undefined
}

/** Returns the usage of some days. While usage cannot be read, returns what this process has counted in memory since it started. */
export async function usageOrTraffic(
  { usage, traffic }: Pick<DashboardSources, 'usage' | 'traffic'>,
  days: number,
  only: Parameters<KnownUsage['since']>[1] = {},
): Promise<KnownCalls> {
  const rows = await unlessAway(usage.since(days, only))
  return rows === undefined ? countedCalls(traffic(), only) : { rows, countedSince: undefined }
}

/** Returns what this process has counted in memory since it started. */
export async function countedCalls(
  { totals, since }: Pick<TrafficSnapshot, 'totals' | 'since'>,
  { client, operation }: NonNullable<Parameters<KnownUsage['since']>[1]> = {},
): Promise<KnownCalls> {
  const firstAt = new Date(since).toISOString()
  const rows = await inSlices(
    totals.filter(
      (row) =>
        (client === undefined || row.client === client) && (operation === undefined || row.operation === operation),
    ),
    ({ lastAt, ...row }): OperationUsage => ({
      ...row,
      ...{ firstAt, lastAt: new Date(lastAt).toISOString(), agents: [], seen: NOTHING_SEEN },
    }),
  )
  return { rows, countedSince: since }
}
