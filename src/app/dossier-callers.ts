import type { Dossier } from '../compare/dossier/dossier.ts'
import { inSlices } from '../observe/in-slices.ts'
import { rowsByClient } from '../usage/rows-by-client.ts'
import { sortInSlices } from '../usage/sort-in-slices.ts'

/** One client's calls of one operation. */
export interface ClientCalls {
  readonly client: string
  readonly operation: string
  readonly byV1: number
  readonly byLegacy: number
  /** Milliseconds since the epoch, or ISO 8601. */
  readonly lastAt: number | string
}

/**
 * Returns the clients of a dossier, those that called last first. In slices, because there may be 10,000.
 * @param since when counting began; milliseconds since the epoch.
 */
export async function dossierCallers(since: number, calls: readonly ClientCalls[]): Promise<Dossier['callers']> {
  const clients = await inSlices(await rowsByClient(calls), ([client, rows]) => ({
    client,
    byV1: rows.reduce((sum, { byV1 }) => sum + byV1, 0),
    byLegacy: rows.reduce((sum, { byLegacy }) => sum + byLegacy, 0),
    operations: rows.map(({ operation }) => operation).sort(),
    lastAt: new Date(Math.max(...rows.map(({ lastAt }) => new Date(lastAt).getTime()))).toISOString(),
  }))
  return {
    since: new Date(since).toISOString(),
    clients: await sortInSlices(clients, (a, b) => (a.lastAt < b.lastAt ? 1 : a.lastAt > b.lastAt ? -1 : 0)),
  }
}
