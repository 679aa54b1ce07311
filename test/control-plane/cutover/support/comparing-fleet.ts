import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import type { AuditEntry } from '../../../../src/control-plane/cutover/audit.ts'
import type { CutoverReport } from '../../../../src/control-plane/cutover/cutover.ts'
import { callLegacy } from '../../../support/legacy-client.ts'
import { newSchema, type SharedPostgres } from '../../../support/shared-postgres.ts'
import { type SideBySide, startSideBySide } from '../../../support/side-by-side.ts'

/** Gateways that compare, before a sandbox each, and share a schema of their own. */
export function comparingFleet(server: Pick<SharedPostgres, 'settings' | 'query' | 'port'>) {
  const schema = newSchema()
  const tokenKeys = [randomBytes(32)]
  return {
    /** @param own of a plan. Without it the gateway only compares, so that it takes and stops no steps. */
    start(replicaId: string, own?: object, port = server.port): Promise<SideBySide> {
      const postgres = { ...server.settings, schema, hosts: [{ host: '127.0.0.1', port }] }
      const plan = { steps: [5], calls: 1, minutes: 0, withoutVerdict: 'a test', ...own }
      return startSideBySide(
        { operations: { 'invoice-list': { serve: 'legacy', shadow: 1, ...(own !== undefined && { plan }) } } },
        { settings: () => ({ postgres, replicaId, tokenKeys }) },
      )
    },
    /** Lets a gateway called `other` find a difference, and waits until it is stored. */
    async findDifference(other: SideBySide): Promise<void> {
      await other.plant('v1', { path: '/api/v1/finance/invoices', kind: 'status', status: 400, calls: 'all' })
      await other.call('/api/invoice/list', {})
      await other.compared(1)
      const stored = `SELECT DISTINCT split_part(process, ' ', 1) AS replica FROM ${schema}.ledger_writer WHERE kind = 'evidence'`
      await expect.poll(() => server.query(stored), { interval: 10 }).toEqual([{ replica: 'other' }])
    },
  }
}

const read = async <Result>({ adminUrl }: SideBySide, path: string): Promise<Result> =>
  JSON.parse((await callLegacy(adminUrl, { path })).text) as Result

export const planAt = async (gateway: SideBySide): Promise<CutoverReport | undefined> =>
  (await read<CutoverReport[]>(gateway, '/cutover'))[0]

export const eventsAt = async (gateway: SideBySide): Promise<readonly string[]> =>
  (await read<{ entries: AuditEntry[] }>(gateway, '/audit')).entries.map(({ event }) => event)
