import { inSlices, nextTurn } from '../../observe/in-slices.ts'
import { OTHERS, UNIDENTIFIED } from '../../observe/traffic.ts'
import { MOST_AGENTS, type OperationUsage, type WeekOfUsage } from '../../usage/usage.ts'

/** What a client has called within some days. */
export interface ClientUsage {
  readonly client: string
  readonly calls: number
  /** Statuses of 400 and above. */
  readonly errors: number
  readonly byV1: number
  readonly byLegacy: number
  /** ISO 8601. */
  readonly lastAt: string
  /** The most calls first. */
  readonly operations: readonly OperationUsage[]
}

/** Whether a name is a client's own, and does not stand for unidentified clients or for all others together. */
export const isNamed = (client: string): boolean => client !== OTHERS && client !== UNIDENTIFIED

/** Says which of these names stand for more than a client: ` Some calls have no identified client.`, or nothing. */
export function unnamedInWords(names: readonly string[]): string {
  const unidentified = names.includes(UNIDENTIFIED) ? ' Some calls have no identified client.' : ''
  return `${unidentified}${names.includes(OTHERS) ? ' Some calls are of further clients, which count together.' : ''}`
}

/** Adds up who called what. In slices, because there may be 10,000 clients. */
export async function byClient(rows: readonly OperationUsage[]): Promise<readonly ClientUsage[]> {
  const found = new Map<string, OperationUsage[]>()
  await inSlices(rows, (row) => {
    const known = found.get(row.client)
    if (known === undefined) found.set(row.client, [row])
    else known.push(row)
  })
  const added = await inSlices(found, ([client, operations]) => addedUp(client, operations))
  await nextTurn()
  return added
}

function addedUp(client: string, rows: readonly OperationUsage[]): ClientUsage {
  const sum = { client, calls: 0, errors: 0, byV1: 0, byLegacy: 0, lastAt: '' }
  for (const { calls, clientErrors, serverErrors, byV1, byLegacy, lastAt } of rows) {
    sum.calls += calls
    sum.errors += clientErrors + serverErrors
    sum.byV1 += byV1
    sum.byLegacy += byLegacy
    if (lastAt > sum.lastAt) sum.lastAt = lastAt
  }
  return { ...sum, operations: rows.length < 2 ? rows : rows.toSorted((a, b) => b.calls - a.calls) }
}

/** Returns a client's user agents, those of its latest calls first, at most `MOST_AGENTS`. */
export function agentsOf(rows: readonly OperationUsage[]): readonly string[] {
  const latest = rows.toSorted((a, b) => (a.lastAt < b.lastAt ? 1 : -1))
  return [...new Set(latest.flatMap(({ agents }) => agents))].slice(0, MOST_AGENTS)
}

/** How many weeks are shown. */
export const WEEKS = 12

/** Returns the calls of some clients in each week, the oldest first. In slices, because there is a row per client, week and operation. */
export async function weeksOf(
  weeks: readonly WeekOfUsage[],
  clients: Iterable<string>,
  operation?: string,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const found = new Map(Array.from(clients, (client) => [client, new Array<number>(WEEKS).fill(0)]))
  await inSlices(weeks, (week) => {
    const calls = found.get(week.client)
    if (calls === undefined || (operation !== undefined && week.operation !== operation)) return
    const index = WEEKS - 1 - week.weeksAgo
    if (calls[index] !== undefined) calls[index] += week.calls
  })
  await nextTurn()
  return found
}
