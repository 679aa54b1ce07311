import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { guideHtml } from '../../../src/guide/client/guide-html.ts'
import { script, shop } from '../../guide/client/support/clients.ts'
import { guideFor } from '../../guide/client/support/guide-for.ts'
import { busyDashboard } from '../../support/busy-dashboard.ts'
import { busyUsage, LONGEST_NAME } from '../../support/busy-usage.ts'
import { crowdedDashboard } from '../../support/crowded-dashboard.ts'
import { NOW } from '../../support/dashboard-sources.ts'
import { hasChromium, type OpenedBrowser, openBrowser } from '../../support/open-browser.ts'
import { openDashboard } from '../../support/open-dashboard.ts'
import { runCommand } from '../../support/run-command.ts'
import { startSideBySide } from '../../support/side-by-side.ts'

/** WCAG 2.2, levels A and AA, and what axe calls best practices. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const SLOW = { timeout: 300_000 }
/** How much of an address, or of the page itself, names it where axe finds something. */
const SHORT = 40

const PAGES = [
  '/',
  '/?since=week',
  '/cutover/currency-list/advance',
  '/cutover/invoice-list/resume',
  '/audit',
  '/audit?operation=invoice-list',
  '/traffic?minutes=180',
  '/traffic?operation=price',
  '/clients',
  '/clients?client=zoe',
  '/clients/demo-client',
  `/clients/${encodeURIComponent(LONGEST_NAME)}`,
  '/brownouts',
  '/side-by-side',
  '/side-by-side/invoice-list',
  '/side-by-side/price',
  '/explain',
  '/explain?operation=package',
  '/mappings',
  '/mappings/package',
  '/rollout',
  '/fleet',
  '/words',
  '/nothing',
]
const SCREENS = [1_280, 375].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => [width, colorScheme] as const),
)

interface Found {
  readonly violations: readonly {
    readonly id: string
    readonly nodes: readonly { readonly target: readonly string[] }[]
  }[]
  readonly passes: readonly unknown[]
}

/** By night only the colours are others. */
const runOnly = (colorScheme: 'light' | 'dark'): object =>
  colorScheme === 'light' ? { type: 'tag', values: RULES } : { type: 'rule', values: ['color-contrast'] }

/** Returns what axe finds in a page, as `rule selector`, at most three places for each rule. Everything that is folded is opened first. */
async function faultsOf(page: Page, colorScheme: 'light' | 'dark'): Promise<readonly string[]> {
  await page.waitForLoadState()
  await page.evaluate("document.querySelectorAll('details').forEach((folded) => { folded.open = true })")
  await page.evaluate(AXE)
  const run = `axe.run(document, { runOnly: ${JSON.stringify(runOnly(colorScheme))}, resultTypes: ['violations'] })`
  const { violations, passes } = (await page.evaluate(run)) as Found
  // So that a page that shows nothing does not pass.
  if (passes.length < (colorScheme === 'light' ? 10 : 1)) throw new Error(`only ${passes.length} rules were applied`)
  return violations.flatMap(({ id, nodes }) => nodes.slice(0, 3).map(({ target }) => `${id} ${target.join(' ')}`))
}

const name = hasChromium ? 'axe finds nothing' : 'axe finds nothing (skipped: no /usr/bin/chromium)'

describe.skipIf(!hasChromium)(name, SLOW, () => {
  let browser: OpenedBrowser
  beforeAll(async () => {
    browser = await openBrowser()
  }, SLOW.timeout)

  /** Opens a page at each screen, and collects what axe finds on each of the addresses. */
  const faultsAt = async (addresses: readonly string[], open: (page: Page, address: string) => Promise<unknown>) => {
    const found: string[] = []
    for (const [width, colorScheme] of SCREENS) {
      const { page } = await browser.open({ viewport: { width, height: 800 }, colorScheme })
      for (const address of addresses) {
        await open(page, address)
        for (const fault of await faultsOf(page, colorScheme)) {
          found.push(`${address.slice(0, SHORT)} (${width}, ${colorScheme}): ${fault}`)
        }
      }
      await page.context().close()
    }
    return found
  }

  it('on the pages of the dashboard, with many clients and differences', async () => {
    const clients = Array.from({ length: 200 }, (_, at) => `shop-${at}`)
    const { url } = await openDashboard(crowdedDashboard(clients, { usage: busyUsage(NOW, clients.length) }))
    expect(await faultsAt(PAGES, (page, path) => page.goto(url + path))).toEqual([])
  })

  it('on the page that explains a call', async () => {
    const { url } = await openDashboard(busyDashboard())
    const explain = async (page: Page) => {
      await page.goto(`${url}/explain?operation=package`)
      await page.getByRole('button', { name: 'Explain' }).click()
      await page.locator('#result').waitFor()
    }
    expect(await faultsAt(['/explain'], explain)).toEqual([])
  })

  it('on a client’s guide', async () => {
    const guide = guideFor([...shop, ...script], { client: LONGEST_NAME })
    const pages = (['curl', 'PHP'] as const).map((language) => guideHtml(guide, language))
    expect(await faultsAt(pages, (page, content) => page.setContent(content))).toEqual([])
  })

  it('on the dossier', async () => {
    const sides = await startSideBySide({ operations: { '*': { serve: 'legacy', shadow: 1 } } })
    await sides.plant('legacy', { path: '/api/currency', kind: 'change', at: '[].code', to: 'another' })
    await sides.call('/api/currency')
    await sides.call('/api/invoice/list', { page: 1, perPage: 2 })
    await sides.call('/api/charges', {})
    await sides.call('/api/no-mapping-knows-this')
    await sides.compared(2)
    const file = join(sides.folder, 'dossier.html')
    expect((await runCommand(['dossier', '--out', file, '--admin', sides.adminUrl])).exit).toBe(0)
    expect(await faultsAt([pathToFileURL(file).href], (page, address) => page.goto(address))).toEqual([])
  })
})
