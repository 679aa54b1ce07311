import { beforeAll, describe, expect, it } from 'vitest'
import { SNIPPET_LANGUAGES } from '../../../src/exchange/guide-form.ts'
import { runnable } from '../../guide/snippets/snippet-programs.ts'
import { runGuides, type V1Answer } from '../../support/guide-programs.ts'
import {
  ACCOUNTS,
  CALLS,
  CLIENTS,
  type Client,
  type InventedClients,
  MENDED,
  SHIPMENT,
  startInventedClients,
  UNPAID,
} from '../../support/invented-clients.ts'
import { callLegacy, type LegacyCall } from '../../support/legacy-client.ts'

type Row = Readonly<Record<string, unknown>>

/** docs/contract.md 11. */
const MOST_PER_PAGE = 200

describe('the programs of a guide do at v1 what its client did at legacy', { timeout: 120_000 }, () => {
  let all: InventedClients
  beforeAll(async () => {
    all = await startInventedClients('legacy')
  }, 120_000)

  /** Calls the legacy service itself as a client. */
  const atLegacy = async (client: Client, { path, method, body, headers }: LegacyCall & { readonly body?: string }) => {
    const legacy = all.sandbox.legacyUrl ?? ''
    const login = await callLegacy(legacy, { path: '/auth/application', body: JSON.stringify(ACCOUNTS[client]) })
    const { token } = JSON.parse(login.text) as { token: string }
    const answer = await callLegacy(legacy, {
      ...{ path, method: method ?? 'POST', headers: { authorization: `Bearer ${token}`, ...headers } },
      ...(body !== undefined && { body }),
    })
    return JSON.parse(answer.text) as unknown
  }
  const invoicesAtLegacy = async (client: Client, filters: object) =>
    (await atLegacy(client, { path: '/api/invoice/list', body: JSON.stringify(filters) })) as {
      readonly data: readonly Row[]
      readonly pagination: { readonly count: number; readonly lastPage: number }
    }
  const listAtLegacy = async ({ path, method, headers }: Omit<LegacyCall, 'body'>) =>
    (await atLegacy('erp', { path, ...(method && { method }), ...(headers && { headers }) })) as readonly Row[]
  const shipments = () => all.select('SELECT id FROM shipments WHERE organizationId = 1').length

  for (const language of SNIPPET_LANGUAGES) {
    const { isInstalled, title } = runnable(language)
    it.skipIf(!isInstalled)(title, async ({ signal }) => {
      const before = shipments()
      const lists = await Promise.all(
        CALLS.erp.map(async (call) => [call.operation, await listAtLegacy(call)] as const),
      )
      const pages = Object.fromEntries(lists.map(([id, rows]) => [id, Math.ceil(rows.length / MOST_PER_PAGE)]))
      const readers = CLIENTS.map((client) => ({ guide: all.guides[client], pages, ...ACCOUNTS[client] }))
      const [shop = {}, erp = {}, script = {}] = await runGuides(language, readers, signal)

      const unpaid = await invoicesAtLegacy('shop', UNPAID)
      expect(unpaid.data).toHaveLength(50)
      expect(shop['invoice-list']?.map(({ status }) => status)).toEqual([200])
      expect(idsOf(shop['invoice-list'])).toEqual(unpaid.data.map(({ id }) => id))
      expect(shop['invoice-list']?.[0]?.body.meta).toMatchObject({
        ...{ total: unpaid.pagination.count, pageCount: unpaid.pagination.lastPage },
      })

      expect(shipments()).toBe(before + 1)
      const [shipment] = shop.package ?? []
      expect(shipment?.status).toBe(201)
      const shipped = await atLegacy('shop', {
        path: '/api/consignment/package/advance',
        body: JSON.stringify(SHIPMENT),
      })
      expect(shipmentOf(shipment?.body.data ?? {})).toEqual(shipmentOf(shipped as Row))

      for (const [operation, rows] of lists) {
        const answers = erp[operation] ?? []
        expect([operation, namesOf(answers.flatMap(({ body }) => body.items ?? []))]).toEqual([
          operation,
          namesOf(rows),
        ])
        // Whoever reads as many pages as the first one says reads these.
        expect(answers[0]?.body.meta?.pageCount).toBe(answers.length)
      }
      expect(pages['county-list']).toBeGreaterThan(1)

      const mended = await invoicesAtLegacy('script', MENDED)
      expect(mended.data).toHaveLength(20)
      expect(idsOf(script['invoice-list'])).toEqual(mended.data.map(({ id }) => id))
    })
  }
})

const idsOf = (pages: readonly V1Answer[] | undefined): readonly unknown[] =>
  (pages ?? []).flatMap(({ body }) => body.items ?? []).map(({ id }) => id)

const namesOf = (rows: readonly Row[]) => rows.map(({ id, code, name }) => ({ id, code, name }))

/** What a shipment is about, on either side, without what is personal or new with each. */
function shipmentOf(shipment: Row) {
  const { recipientAddress, products, packages, carrier, currency, exportCode, ...others } = shipment as Row & {
    readonly recipientAddress: Row & { readonly country: Row }
    readonly products: readonly Row[]
    readonly packages: readonly Row[]
    readonly carrier: Row
    readonly currency: Row
    readonly exportCode: Row
  }
  const { description, comment, referenceNumbers, deliveryTaxType, previousTaxStatus, status } = others
  const { customsAccountNumber, customsAccountZipCode, senderAddress } = others
  const { city, state, zipCode, country } = recipientAddress
  return {
    ...{ description, comment, referenceNumbers, deliveryTaxType, previousTaxStatus, status },
    ...{ customsAccountNumber, customsAccountZipCode, sender: (senderAddress as Row).id },
    ...{ carrier, exportCode, currency: currency.code },
    recipient: { city, state, zipCode, country: country.code },
    packages: packages.map(({ id: _, trackingNumber: __, ...row }) => row),
    products: products.map(({ id: _, ...product }) => product),
  }
}
