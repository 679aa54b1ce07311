import { beforeAll, describe, expect, it } from 'vitest'
import type { ClientGuide } from '../../src/guide/client/client-guide.ts'
import { LANGUAGES } from '../../src/guide/snippets/snippet.ts'
import { inShort, partOf } from '../guide/client/support/guide-for.ts'
import { runnable } from '../guide/snippets/snippet-programs.ts'
import { type Changes, expectedChanges } from '../support/expected-changes.ts'
import { runGuides, type V1Answer } from '../support/guide-programs.ts'
import { GUIDE } from '../support/guide-services.ts'
import {
  ACCOUNTS,
  CALLS,
  CLIENTS,
  type Client,
  guideAt,
  type InventedClients,
  MENDED,
  SHIPMENT,
  startInventedClients,
  UNPAID,
} from '../support/invented-clients.ts'
import { callLegacy, type LegacyCall } from '../support/legacy-client.ts'

type Row = Readonly<Record<string, unknown>>

/** docs/contract.md 11. */
const MOST_PER_PAGE = 200

const started: Partial<Record<'legacy' | 'v1', Promise<InventedClients>>> = {}
/** Starts each once: what the programs do is not in a guide. */
const start = (answers: 'legacy' | 'v1'): Promise<InventedClients> => {
  started[answers] ??= startInventedClients(answers)
  return started[answers]
}

describe.each([
  ['legacy answers, with v1 beside it', 'legacy'],
  ['v1 answers, without a legacy service', 'v1'],
] as const)('guides of three clients that call while %s', { timeout: 120_000 }, (_, answers) => {
  let all: InventedClients
  beforeAll(async () => {
    all = await start(answers)
  }, 120_000)

  it.each(CLIENTS)('%s: names what changes for it, and nothing else', (client) => {
    const guide = all.guides[client]
    expect(changesIn(guide)).toEqual(allSorted(expectedChanges(answers)[client]))
    expect(guide.operations.every(({ calls, lookedAt, isOwnCall }) => calls === lookedAt && isOwnCall)).toBe(true)
  })

  it('names the values, the counts and the pages that the reader needs', () => {
    const { shop, erp, script } = all.guides
    const currencies = partOf(erp, 'currency-list')
    expect(currencies.request.find(({ legacy }) => legacy === 'sortBy')?.says).toContain(
      'sellingRateTry becomes sellingTry',
    )
    expect(currencies.after[0]?.url).toMatch(/\/api\/v1\/shared\/currencies\?sortBy=sellingTry&page=1&perPage=200$/)
    expect(partOf(shop, 'invoice-list').then).toContain('meta.pageCount, which replaces pagination.lastPage')
    expect(partOf(shop, 'package').errors.map(({ calls }) => calls)).toEqual([1])
    expect(partOf(script, 'invoice-list').errors.map(({ calls }) => calls)).toEqual([2, 1, 1])
    expect(script.checklist.filter((text) => text.startsWith('Handle'))).toEqual([
      'Handle the errors that you will get from v1: `422 VALIDATION_FAILED` (was `400`).',
    ])
  })

  it('says the same as HTML and as Markdown', async () => {
    for (const client of CLIENTS) {
      const [html, markdown] = await Promise.all([
        guideAt(all.adminUrl, client, 'html'),
        guideAt(all.adminUrl, client, 'md'),
      ])
      const text = textOf(html)
      for (const { operation, request, answer, errors, lost, after } of all.guides[client].operations) {
        expect(text).toContain(operation)
        expect(text).toContain(after[0]?.url)
        expect(markdown).toContain(after[0]?.url)
        for (const { legacy, v1 } of [...request, ...answer, ...errors, ...lost]) {
          for (const place of [legacy, v1]) {
            if (place === null || place === '') continue
            expect(text).toContain(place)
            expect(markdown).toContain(`\`${place}\``)
          }
        }
      }
    }
  })

  it('is right at a gateway that saw none of the calls, but for the values', async () => {
    const others = await all.guidesOfAnother()
    for (const client of CLIENTS) {
      const expected = JSON.stringify(expectedChanges(answers)[client])
      // Names that no mapping has are never stored.
      const stored = JSON.parse(expected.replace('unpaid →', 'other members →')) as Record<string, Changes>
      expect(changesIn(others[client])).toEqual(allSorted(stored))
      expect(others[client].operations.map(({ isOwnCall }) => isOwnCall)).not.toContain(true)
      expect(others[client].operations.every(({ after }) => after[0]?.snippets.length === LANGUAGES.length)).toBe(true)
    }
  })

  it('is read by its own client alone', async () => {
    const read = async (token: string, call: Partial<LegacyCall> = {}) => {
      const headers = { authorization: `Bearer ${token}`, ...call.headers }
      return all.gateway.call({ path: `${GUIDE}?format=json`, ...call, headers })
    }
    const clientOf = ({ text }: { text: string }) => (JSON.parse(text) as ClientGuide).client
    for (const client of CLIENTS) {
      const { clientId } = ACCOUNTS[client]
      expect(clientOf(await read(all.tokens[client]))).toBe(clientId)
    }
    const asked = { path: `${GUIDE}?format=json&client=${ACCOUNTS.shop.clientId}` }
    expect(clientOf(await read(all.tokens.script, asked))).toBe(ACCOUNTS.script.clientId)
    expect((await read(`${all.tokens.shop}x`)).status).toBe(401)
    expect((await read('garbage')).status).toBe(401)
  })
})

describe('the programs of a guide do at v1 what its client did at legacy', { timeout: 120_000 }, () => {
  let all: InventedClients
  beforeAll(async () => {
    all = await start('legacy')
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

  for (const language of LANGUAGES) {
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

/** Everything that a guide says must change, in an order of its own. */
const changesIn = ({ operations }: ClientGuide): Readonly<Record<string, Changes>> =>
  Object.fromEntries(
    operations.map(({ operation, request, answer, errors, lost }) => [
      operation,
      sorted({ request: inShort(request), answer: inShort(answer), errors: inShort(errors), lost: inShort(lost) }),
    ]),
  )

const sorted = ({ request, answer, errors, lost }: Changes): Changes => ({
  ...{ request: request.toSorted(), answer: answer.toSorted() },
  ...{ errors: errors.toSorted(), lost: lost.toSorted() },
})

const allSorted = (changes: Readonly<Record<string, Changes>>) =>
  Object.fromEntries(Object.entries(changes).map(([id, one]) => [id, sorted(one)]))

/** The text of a page, as far as it is compared. */
const textOf = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

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
