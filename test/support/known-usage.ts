import { StateError } from '../../src/control-plane/store/state-error.ts'
import { addUpDays } from '../../src/control-plane/usage/daily-usage.ts'
import type { KnownUsage } from '../../src/control-plane/usage/stored-usage.ts'
import { NOTHING_SEEN, type OperationUsage, type UsageRow } from '../../src/control-plane/usage/usage.ts'

const away = (): Promise<never> => Promise.reject(new StateError('the database is away', true))

/** Usage whose store is away. */
export const awayUsage: KnownUsage = { since: away, ofClient: away, report: away, weeks: away, daily: away }

const DAY_MS = 86_400_000

/** Calls of a client: of one operation, on one day, all answered by v1 with 200; except for the given members. */
export function used(client: string, operation: string, lastAt: string, said: Partial<UsageRow> = {}): UsageRow {
  const calls = said.calls ?? 1
  return {
    ...{ day: lastAt.slice(0, 10), client, operation, calls, clientErrors: 0, serverErrors: 0 },
    ...{ byV1: calls, byLegacy: 0, firstAt: lastAt, lastAt, agents: [], seen: NOTHING_SEEN },
    ...said,
  }
}

/** Usage that is known from rows, as it is at a time. */
export function knownFrom(rows: readonly UsageRow[], now: number): KnownUsage {
  const daysAgo = ({ day }: UsageRow): number => Math.floor((now - Date.parse(day)) / DAY_MS)
  const since: KnownUsage['since'] = async (days, { client, operation } = {}) => {
    const wanted = rows.filter(
      (row) =>
        daysAgo(row) < days &&
        (client === undefined || row.client === client) &&
        (operation === undefined || row.operation === operation),
    )
    const groups = Map.groupBy(wanted, (row) => JSON.stringify([row.client, row.operation]))
    return [...groups.values()].map(added).sort((a, b) => b.calls - a.calls)
  }
  return {
    since,
    ofClient: async (client, days) => (await since(days, { client })).map((row) => ({ ...row, example: undefined })),
    report: away,
    daily: (days) =>
      addUpDays(
        inPages([]),
        rows.filter((row) => daysAgo(row) < days),
        '',
      ),
    weeks: async () =>
      rows.flatMap((row) => {
        const weeksAgo = Math.floor(daysAgo(row) / 7)
        return weeksAgo > 11 ? [] : [{ client: row.client, operation: row.operation, weeksAgo, calls: row.calls }]
      }),
  }
}

async function* inPages<Row>(rows: readonly Row[]): AsyncIterable<readonly Row[]> {
  yield rows
}

function added(rows: readonly UsageRow[]): OperationUsage {
  const latest = rows.toSorted((a, b) => (a.lastAt < b.lastAt ? 1 : -1))
  const [first] = latest
  if (first === undefined) throw new Error('no rows')
  const sum = (of: (row: UsageRow) => number): number => rows.reduce((total, row) => total + of(row), 0)
  return {
    ...{ client: first.client, operation: first.operation, lastAt: first.lastAt, seen: first.seen },
    ...{
      firstAt: latest.at(-1)?.firstAt ?? first.firstAt,
      agents: [...new Set(latest.flatMap(({ agents }) => agents))],
    },
    ...{ calls: sum(({ calls }) => calls), byV1: sum(({ byV1 }) => byV1), byLegacy: sum(({ byLegacy }) => byLegacy) },
    clientErrors: sum(({ clientErrors }) => clientErrors),
    serverErrors: sum(({ serverErrors }) => serverErrors),
  }
}
