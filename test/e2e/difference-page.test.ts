import { readFileSync, writeFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { callLegacy } from '../support/legacy-client.ts'
import { commandsOf, textOf } from '../support/read-html.ts'
import { hasCurl, paste } from '../support/shells.ts'
import { DEMO_LOGIN, startSideBySide } from '../support/side-by-side.ts'

const INVOICES = '/api/invoice/list'

/** A gateway whose invoices differ in a price, and the page that shows it. */
async function differing(to: number | string) {
  const sides = await startSideBySide({ operations: { '*': { serve: 'v1', shadow: 1 } } })
  await sides.plant('legacy', { path: INVOICES, kind: 'change', at: 'data[].priceTry', to })
  await sides.call(INVOICES, { perPage: 1 }, { 'accept-language': 'en' })
  await sides.call(INVOICES, { perPage: 2 })
  await sides.compared(2)
  const page = async (path: string): Promise<string> => {
    const { text } = await callLegacy(sides.adminUrl, { path, headers: { accept: 'text/html' } })
    return text
  }
  return { ...sides, page }
}

describe('the page of a difference', () => {
  let prices: Awaited<ReturnType<typeof differing>>
  beforeAll(async () => {
    prices = await differing(0.5)
  })

  it('shows the narrowest ignore rule, which works once it is in the rollout file', async () => {
    const { page, rolloutFile, experiments, adminUrl } = await differing('0.5')
    const shown = textOf(await page('/side-by-side/invoice-list'))
    expect(shown).toContain('The narrowest rule for it would excuse 2 calls')
    const [copied = ''] = /\{"operation":"invoice-list".*?"why":""\}/.exec(shown) ?? []
    const rule = { ...(JSON.parse(copied) as object), why: 'a fault that was planted', by: 'Team Billing' }
    expect(rule).toMatchObject({
      path: 'data[].priceTry',
      kind: 'type',
      details: 'string → number',
      when: { perPage: true },
    })
    const rollout = JSON.parse(readFileSync(rolloutFile, 'utf8')) as object
    writeFileSync(rolloutFile, JSON.stringify({ ...rollout, ignore: [rule] }))
    await expect.poll(async () => (await experiments()).rules.length).toBe(1)
    const { operations, rules } = await experiments()
    expect(operations.find(({ operation }) => operation === 'invoice-list')).toMatchObject({
      ...{ totals: { mismatched: 0, ignored: 2 }, matchRate: 1, unexcusedRate: 0 },
      differences: [{ ignored: 'rule: a fault that was planted', excusing: null, clients: { distinct: 1 } }],
    })
    expect(rules).toEqual([{ ...rule, holds: true, lastExcused: expect.stringMatching(/^20/), stale: false }])
    const { text } = await callLegacy(adminUrl, { path: '/rollout', headers: { accept: 'text/html' } })
    expect(textOf(text)).toContain('a fault that was planted Team Billing')
  })

  it('links to Explain, filled in with the call that showed it', async () => {
    const { page } = prices
    const links = Array.from((await page('/side-by-side/invoice-list')).matchAll(/href="(\/explain\?[^"]+)">Explain</g))
    const [latest = '', first = ''] = links.map(([, link = '']) => link.replaceAll('&amp;', '&'))
    expect(await page(latest)).toMatch(
      /value="http:\/\/127\.0\.0\.1:\d+\/api\/invoice\/list".*\{&quot;perPage&quot;:2\}/s,
    )
    expect(await page(first)).toMatch(/<option value="en" selected>.*\{&quot;perPage&quot;:1\}/s)
  })

  it.skipIf(!hasCurl)('shows curl commands that ask the gateway and the legacy service', async () => {
    const { page, token } = prices
    const html = await page('/side-by-side/invoice-list')
    const [command = ''] = commandsOf(html)
    const [ofLegacy = ''] = commandsOf(html, 'as curl, to the legacy service')
    const [, legacyUrl = ''] = /'(http:\/\/[^/]+)/.exec(ofLegacy) ?? []
    const login = await callLegacy(legacyUrl, { path: '/auth/application', body: JSON.stringify(DEMO_LOGIN) })
    const own = (JSON.parse(login.text) as { readonly token: string }).token
    const answers = await paste(`${command}\n${ofLegacy}`, { LEGACY_TOKEN: token, LEGACY_SERVICE_TOKEN: own })
    const shown = Array.from(answers.matchAll(/"priceTry":([\d.]+)/g), ([, price]) => price)
    expect(shown).toHaveLength(4)
    expect(shown.slice(2)).toEqual(['0.5', '0.5'])
    expect(shown.slice(0, 2)).not.toContain('0.5')
  })
})
