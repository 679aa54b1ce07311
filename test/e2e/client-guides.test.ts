import { beforeAll, describe, expect, it } from 'vitest'
import { SNIPPET_LANGUAGES } from '../../src/exchange/guide-form.ts'
import type { ClientGuide } from '../../src/guide/client/client-guide.ts'
import { inShort, partOf } from '../guide/client/support/guide-for.ts'
import { type Changes, expectedChanges } from '../support/expected-changes.ts'
import { GUIDE } from '../support/guide-services.ts'
import { ACCOUNTS, CLIENTS, guideAt, type InventedClients, startInventedClients } from '../support/invented-clients.ts'
import type { LegacyCall } from '../support/legacy-client.ts'

describe.each([
  ['legacy answers, with v1 beside it', 'legacy'],
  ['v1 answers, without a legacy service', 'v1'],
] as const)('guides of three clients that call while %s', { timeout: 120_000 }, (_, answers) => {
  let all: InventedClients
  beforeAll(async () => {
    all = await startInventedClients(answers)
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
      'Handle the errors that you will get from v1: `422 VALIDATION_FAILED` (was `400`). See [Errors](#errors).',
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
      expect(
        others[client].operations.every(({ after }) => after[0]?.snippets.length === SNIPPET_LANGUAGES.length),
      ).toBe(true)
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
