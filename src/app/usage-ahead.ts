import type { UsageRow } from '../cutover/brownout/may-be-hit.ts'
import type { Traffic } from '../observe/traffic.ts'
import { firstDay, type KnownUsage } from '../usage/known-usage.ts'

/** Knows who has called what, for callers that cannot wait for the store. */
export interface UsageAhead {
  /** Reads the store again, unless it did so within the last minute. Never rejects: if reading fails, the last result stays. */
  refresh(): Promise<void>
  /** Returns the calls of the last 30 days; before the first reading, those since this process started. `since`: ms since the epoch. */
  calls(): { readonly since: number; readonly rows: readonly UsageRow[] }
}

const DAYS = 30
const EVERY_MS = 60_000

/** @param traffic what this process has counted since it started; undefined: it has counted nothing yet. */
export function usageAhead(known: Pick<KnownUsage, 'since'>, traffic: () => Traffic | undefined): UsageAhead {
  const started = Date.now()
  let readAt = Number.NEGATIVE_INFINITY
  let read: { readonly since: number; readonly rows: readonly UsageRow[]; readonly counted: ByName } | undefined
  const totals = (): readonly UsageRow[] => traffic()?.totals() ?? []
  return {
    async refresh() {
      if (performance.now() - readAt < EVERY_MS) return
      readAt = performance.now()
      const counted = byName(totals())
      const rows = await known.since(DAYS).catch(() => undefined)
      if (rows !== undefined) read = { since: Date.parse(firstDay(DAYS, Date.now())), rows, counted }
    },
    calls() {
      if (read === undefined) return { since: started, rows: totals() }
      const { since, rows, counted } = read
      return { since, rows: [...rows, ...totals().flatMap((total) => moreThan(counted, total))] }
    },
  }
}

/** Calls by client, then by operation. */
type ByName = ReadonlyMap<string, ReadonlyMap<string, number>>

function byName(rows: readonly UsageRow[]): ByName {
  const all = new Map<string, Map<string, number>>()
  for (const { client, operation, calls } of rows) {
    const ofClient = all.get(client) ?? new Map<string, number>()
    all.set(client, ofClient.set(operation, calls))
  }
  return all
}

/** Returns the calls beyond those already counted, if any. */
function moreThan(counted: ByName, { client, operation, calls }: UsageRow): readonly UsageRow[] {
  const more = calls - (counted.get(client)?.get(operation) ?? 0)
  return more > 0 ? [{ client, operation, calls: more }] : []
}
