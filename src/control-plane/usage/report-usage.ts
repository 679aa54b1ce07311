import type { Marks, OperationUsage } from './usage.ts'

/** `GET /clients`. Shapes as in docs/clients.md. */
export interface ClientsReport {
  /** When the span begins; ISO 8601. */
  readonly since: string
  /** Set while `STATE_DB` cannot be read: these are the calls that this process has counted but not stored. */
  readonly incomplete?: true
  readonly clients: readonly {
    readonly client: string
    readonly calls: number
    readonly lastAt: string
    readonly firstAt: string
    readonly operations: Readonly<Record<string, ReportedUsage>>
  }[]
}

export interface ReportedUsage {
  readonly calls: number
  readonly firstAt: string
  readonly lastAt: string
  readonly errors: number
  readonly byV1: number
  readonly byLegacy: number
  /** For how many of them the client chose the side; unset: none. */
  readonly chosen?: number
  /** How many calls were looked at for what follows. */
  readonly seen: number
  /** How many of them sent each member: with a value, null or empty, or with a value that v1 removed. */
  readonly members: Marks
  readonly empty: Marks
  readonly removed: Marks
  /** How many of them sent members that no line of the mapping knows. */
  readonly other: number
  /** Forms of values that the mapping does not read; unset: none. */
  readonly forms?: Readonly<Record<string, number>>
  readonly agents: readonly string[]
}

/**
 * Reports use by client: the clients that called most recently first.
 * @param since the first day.
 */
export function reportUsage(since: string, usage: readonly OperationUsage[]): ClientsReport {
  const clients = Array.from(
    Map.groupBy(usage, ({ client }) => client),
    ([client, operations]) => ({
      client,
      calls: operations.reduce((sum, { calls }) => sum + calls, 0),
      lastAt: operations.map(({ lastAt }) => lastAt).reduce((a, b) => (a > b ? a : b)),
      firstAt: operations.map(({ firstAt }) => firstAt).reduce((a, b) => (a < b ? a : b)),
      operations: Object.fromEntries(operations.map((one) => [one.operation, reported(one)])),
    }),
  )
  return {
    since: `${since}T00:00:00.000Z`,
    clients: clients.sort((a, b) => (a.lastAt < b.lastAt ? 1 : a.lastAt > b.lastAt ? -1 : 0)),
  }
}

const reported = (usage: OperationUsage): ReportedUsage => ({
  calls: usage.calls,
  firstAt: usage.firstAt,
  lastAt: usage.lastAt,
  errors: usage.clientErrors + usage.serverErrors,
  byV1: usage.byV1,
  byLegacy: usage.byLegacy,
  ...(usage.seen.chosen !== undefined && { chosen: usage.seen.chosen }),
  seen: usage.seen.calls,
  members: usage.seen.members,
  ...(usage.seen.forms !== undefined && { forms: usage.seen.forms }),
  empty: usage.seen.empty,
  removed: usage.seen.removed,
  other: usage.seen.other,
  agents: usage.agents,
})
