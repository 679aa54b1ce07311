import { onTestFinished } from 'vitest'
import { startSandbox } from '../../../src/sandbox/start-sandbox.ts'
import { askLegacy, logInToLegacy } from '../legacy/legacy-client.ts'
import { ask, demo, logIn } from '../sandbox-client.ts'
import { documentBody } from '../shipment-requests.ts'

export type Row = Record<string, unknown>

/** The rows, or the record, that both interfaces answer to the same call. */
export interface BothSides {
  readonly legacy: readonly Row[]
  readonly v1: readonly Row[]
}

/** A sandbox that deviates, over real sockets, until the test ends. */
export async function deviating(operations: Row) {
  // One for each side, because two writes to one store make two records.
  const start = async () => {
    const sandbox = await startSandbox({
      ...{ host: '127.0.0.1', v1Port: 0, legacyPort: 0, db: ':memory:' },
      ...{ now: () => Date.parse('2026-03-01T10:00:00Z'), deviate: JSON.stringify({ operations }) },
    })
    onTestFinished(() => sandbox.close())
    return sandbox
  }
  const [control, candidate] = [await start(), await start()]
  const legacyToken = await logInToLegacy(control, demo)
  const v1Token = await logIn(candidate, demo)
  const askedLegacy = (path: string, body?: unknown) =>
    askLegacy<never>(control, path, { token: legacyToken, ...(body !== undefined && { body }) })
  const askedV1 = (path: string, body?: unknown) =>
    ask<never>(candidate, path, { token: v1Token, ...(body !== undefined && { body }) })
  return {
    askLegacy: askedLegacy,
    askV1: askedV1,
    /** The cities of Turkey: a whole list in legacy. */
    async list(): Promise<BothSides> {
      const legacy = await askedLegacy('/city/all?countryCode=TR')
      const v1 = await askedV1('/api/v1/public/shared/cities?countryCode=TR&perPage=200')
      return { legacy: legacy.body, v1: (v1.body as { items: Row[] }).items }
    },
    /** The first page of invoices. */
    async page(): Promise<BothSides> {
      const legacy = await askedLegacy('/api/invoice/list', {})
      const v1 = await askedV1('/api/v1/finance/invoices')
      return { legacy: (legacy.body as { data: Row[] }).data, v1: (v1.body as { items: Row[] }).items }
    },
    /** The quotes of all carriers for two packages. */
    async price(): Promise<BothSides> {
      const packages = [
        { length: 130, size: 20, height: 10, weight: 2 },
        { length: 30, size: 20, height: 10, weight: 40 },
      ]
      const body = { countryId: 4, packages }
      const legacy = await askedLegacy('/api/calculate/price', body)
      const v1 = await askedV1('/api/v1/shipment/price-calculations', body)
      return { legacy: legacy.body, v1: (v1.body as { items: Row[] }).items }
    },
    /** A document shipment. */
    async record(): Promise<BothSides> {
      const legacy = await askedLegacy('/api/consignment/document', documentBody())
      const v1 = await askedV1('/api/v1/shipment/shipments/documents', documentBody())
      return { legacy: [legacy.body], v1: [(v1.body as { data: Row }).data] }
    },
  }
}
