import { inSlices, nextTurn } from '../../observe/in-slices.ts'
import type { OperationUsage } from '../../usage/usage.ts'

/** What a client has called. */
export interface Caller {
  readonly client: string
  readonly calls: number
  readonly byLegacy: number
  readonly operations: number
  /** The time of the last call; ISO 8601. */
  readonly lastAt: string
}

export interface Callers {
  /** Starts with those that the legacy service answers; within each group, the most calls first. */
  readonly clients: readonly Caller[]
  /** The rows of each operation that was called. */
  readonly byOperation: ReadonlyMap<string, readonly OperationUsage[]>
}

type Growing = { -readonly [Name in keyof Caller]: Caller[Name] }

/** Adds up who called what. In slices, because there may be 10,000 clients. */
export async function callersIn(totals: readonly OperationUsage[]): Promise<Callers> {
  const clients = new Map<string, Growing>()
  const byOperation = new Map<string, OperationUsage[]>()
  await inSlices(totals, (row) => {
    const { client, operation, calls, byLegacy, lastAt } = row
    const known = clients.get(client)
    if (known === undefined) clients.set(client, { client, calls, byLegacy, operations: 1, lastAt })
    else {
      known.calls += calls
      known.byLegacy += byLegacy
      known.operations++
      if (lastAt > known.lastAt) known.lastAt = lastAt
    }
    const rows = byOperation.get(operation)
    if (rows === undefined) byOperation.set(operation, [row])
    else rows.push(row)
  })
  await nextTurn()
  const sorted = [...clients.values()].sort((a, b) => b.byLegacy - a.byLegacy || b.calls - a.calls)
  await nextTurn()
  return { clients: sorted, byOperation }
}
