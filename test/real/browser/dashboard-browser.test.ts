import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { busyDashboard } from '../../support/busy-dashboard.ts'
import { dashboardSources, trafficAt } from '../../support/dashboard-sources.ts'
import { measure, overflow, tabTo } from '../../support/measure-page.ts'
import { hasChromium, type OpenedBrowser } from '../../support/open-browser.ts'
import { type OpenedDashboard, openDashboard } from '../../support/open-dashboard.ts'
import { openSharedBrowser } from '../../support/open-shared-browser.ts'

const PAGES = [
  '/',
  '/cutover/currency-list/advance',
  '/cutover/invoice-list/resume',
  '/audit',
  '/traffic?minutes=180',
  '/clients',
  '/clients?client=zoe',
  '/clients/demo-client',
  '/side-by-side',
  '/side-by-side/invoice-list',
  '/explain?operation=package',
  '/mappings',
  '/mappings/package',
  '/rollout',
  '/fleet',
  '/nothing',
]
const DESKTOP = { width: 1_280, height: 800 }
const PHONE = { width: 360, height: 740 }
const SLOW = { timeout: 60_000 }

const focused = (page: Page): Promise<string> =>
  measure(page, 'document.activeElement.id || document.activeElement.textContent.trim()')

const name = hasChromium ? 'the dashboard in a browser' : 'the dashboard in a browser (skipped: no /usr/bin/chromium)'

describe.skipIf(!hasChromium)(name, SLOW, () => {
  let browser: OpenedBrowser
  let dashboard: OpenedDashboard
  beforeAll(async () => {
    browser = await openSharedBrowser()
    dashboard = await openDashboard(busyDashboard())
  }, SLOW.timeout)

  // Colours do not depend on the width, nor the layout on the time of day.
  describe.each([
    ['at a desk, by day', DESKTOP, 'light'],
    ['on a phone, by night', PHONE, 'dark'],
  ] as const)('%s', (_, viewport, colorScheme) => {
    it('shows every page without an error, a request to another host, or content wider than the screen', async () => {
      const { page, errors, origins } = await browser.open({ viewport, colorScheme })
      for (const path of PAGES) {
        await page.goto(dashboard.url + path)
        expect(await overflow(page), path).toBeLessThanOrEqual(0)
        const background: string = await measure(page, 'getComputedStyle(document.body).backgroundColor')
        expect(background === 'rgb(255, 255, 255)', path).toBe(colorScheme === 'light')
      }
      expect(errors).toEqual(['Failed to load resource: the server responded with a status of 404 (Not Found)'])
      expect([...origins]).toEqual([dashboard.url])
    })

    it('draws both plots over the full width, and again when the screen is turned', async () => {
      const { page, errors } = await browser.open({ viewport, colorScheme })
      await page.goto(`${dashboard.url}/traffic?minutes=180`)
      const widths = () =>
        measure<readonly number[]>(
          page,
          "Array.from(document.querySelectorAll('.plot canvas'), (canvas) => canvas.getBoundingClientRect().width)",
        )
      const before = await widths()
      expect(before).toHaveLength(2)
      expect(Math.min(...before)).toBeGreaterThan(250)
      await page.setViewportSize({ width: 700, height: 360 })
      await expect.poll(widths).not.toEqual(before)
      expect(await overflow(page)).toBeLessThanOrEqual(0)
      expect(errors).toEqual([])
    })
  })

  it('plots what the table says, and shows the minute under the pointer with its numbers', async () => {
    const traffic = trafficAt()
    for (let call = 0; call < 1_234; call++) traffic.at(30, 'price', 'anna', call < 5 ? 503 : 200, 80)
    const { url } = await openDashboard(dashboardSources({ traffic: traffic.snapshot }))
    const { page } = await browser.open({ viewport: DESKTOP })
    await page.goto(`${url}/traffic?minutes=60`)
    /** Points at a place of a plot, from 0 at its left to 1 at its right. */
    const pointAt = async (plot: Locator, share: number): Promise<void> => {
      const over = plot.locator('.u-over')
      const { width = 0, height = 0 } = (await over.boundingBox()) ?? {}
      await over.hover({ position: { x: width * share, y: height / 2 } })
    }
    const legend = async (plot: Locator): Promise<string> =>
      (await plot.locator('.u-value').allInnerTexts()).join(' | ')
    const [calls, latency] = [page.locator('figure').first(), page.locator('figure').last()]
    // The minute of 12:04 is number 29 of 0 to 59.
    await pointAt(calls, 29 / 60)
    await expect.poll(() => legend(calls)).toBe('2025-03-04 12:04 | 1,234 | 0 | 5')
    await pointAt(latency, 29 / 60)
    await expect.poll(() => legend(latency)).toMatch(/^2025-03-04 12:04 \| 8\d(\.\d)? ms \| 9\d(\.\d)? ms$/)
    await pointAt(calls, 30 / 60)
    await expect.poll(() => legend(calls)).toBe('2025-03-04 12:05 | 0 | 0 | 0')
    await pointAt(latency, 30 / 60)
    await expect.poll(() => legend(latency)).toBe('2025-03-04 12:05 | – | –')
  })

  it('is filtered by its form', async () => {
    const { page } = await browser.open({ viewport: DESKTOP })
    await page.goto(`${dashboard.url}/traffic`)
    await page.getByLabel('Operation', { exact: true }).selectOption('price')
    await page.getByLabel('Client', { exact: true }).fill('10.20.30.40')
    await page.getByLabel('Time', { exact: true }).selectOption('last 15 minutes')
    await page.getByRole('button', { name: 'Show' }).click()
    expect(new URL(page.url()).search).toBe('?operation=price&client=10.20.30.40&minutes=15')
    await page.getByRole('heading', { name: 'Calls in the last 15 minutes' }).waitFor()
    const table = page.getByRole('table', { name: 'By operation and client' })
    expect(await table.getByRole('rowheader').allInnerTexts()).toEqual(['price'])
    await page.getByRole('link', { name: 'Reset' }).click()
    expect(await table.getByRole('rowheader').count()).toBeGreaterThan(20)
  })

  it('explains a call that is written with the keyboard only', async () => {
    const { page, errors } = await browser.open({ viewport: PHONE })
    await page.goto(dashboard.url)
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('Skip to content')
    const skip = await page.getByRole('link', { name: 'Skip to content' }).boundingBox()
    expect(skip?.y).toBeGreaterThanOrEqual(0)
    // On a phone, the pages are folded.
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await tabTo(page, 'Explain')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Explain' }).waitFor()
    await tabTo(page, 'path')
    await page.keyboard.type('/api/invoice/list')
    await tabTo(page, 'language')
    await page.keyboard.type('en')
    await tabTo(page, 'body')
    await page.keyboard.type('{"isPayment": true}')
    await tabTo(page, 'Explain')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'The call to make to v1' }).waitFor()
    expect(await page.locator('pre').first().innerText()).toContain('isPaid=true&page=1&perPage=25')
    expect(await page.locator('pre').first().innerText()).toContain('Accept-Language: en')
    // The page jumps to the result.
    await expect.poll(async () => (await page.locator('#result').boundingBox())?.y).toBeLessThan(PHONE.height / 2)
    expect(await overflow(page)).toBeLessThanOrEqual(0)
    expect(errors).toEqual([])
  })

  it('shows the focus everywhere', async () => {
    const { page } = await browser.open({ viewport: DESKTOP })
    await page.goto(`${dashboard.url}/side-by-side/invoice-list`)
    const stops = new Set<string>()
    await page.keyboard.press('Tab')
    while (await measure(page, 'document.activeElement !== document.body')) {
      const stop: string = await measure(page, 'document.activeElement.outerHTML.slice(0, 120)')
      const outline: string = await measure(page, 'getComputedStyle(document.activeElement).outlineStyle')
      expect(outline, stop).toBe('solid')
      stops.add(stop)
      await page.keyboard.press('Tab')
    }
    expect(stops.size).toBeGreaterThan(12)
  })

  it('shows the same without scripts: no empty plots, and the numbers behind a summary', async () => {
    const { page } = await browser.open({ viewport: PHONE, javaScriptEnabled: false })
    await page.goto(`${dashboard.url}/traffic?minutes=180`)
    expect(await page.locator('figure.plot').first().isVisible()).toBe(false)
    const minutes = page.getByRole('table', { name: 'Minutes with calls' })
    expect(await minutes.isVisible()).toBe(false)
    await page.getByText('Numbers per minute').click()
    expect(await minutes.getByRole('row').count()).toBeGreaterThan(150)
  })

  it.each([[DESKTOP], [{ width: 375, height: 740 }]])(
    'shows the fleet without scripts, with all that stands out on the screen: %j',
    async (viewport) => {
      const { page } = await browser.open({ viewport, javaScriptEnabled: false })
      await page.goto(`${dashboard.url}/fleet`)
      const table = page.getByRole('table', { name: 'Gateways seen in the last ten seconds' })
      expect(await table.getByRole('rowheader').count()).toBe(3)
      for (const [word, times] of [
        ['differs', 3],
        ['wrong', 1],
      ] as const) {
        const marks = table.getByText(word, { exact: true })
        expect(await marks.count(), word).toBe(times)
        for (const mark of await marks.all()) {
          const { x = -1, width = 0 } = (await mark.boundingBox()) ?? {}
          expect(x, word).toBeGreaterThan(0)
          expect(x + width, word).toBeLessThanOrEqual(viewport.width)
        }
      }
    },
  )

  it('does not run scripts from the traffic', async () => {
    const traffic = trafficAt()
    traffic.at(1, 'price', '<img src=/x onerror="document.title=1"><script>document.title=1</script>')
    const { url } = await openDashboard(dashboardSources({ traffic: traffic.snapshot }))
    const { page, errors } = await browser.open({ viewport: DESKTOP })
    await page.goto(`${url}/traffic`)
    expect(await page.title()).toBe('Traffic – legacy-gateway')
    expect(await page.getByRole('table', { name: 'By operation and client' }).innerText()).toContain('<img src=/x')
    expect(errors).toEqual([])
  })

  it('asks for a password when there is an admin token, and accepts the token', async () => {
    const { url } = await openDashboard(busyDashboard(), 'the-token-of-the-admin')
    const stranger = await browser.open()
    await expect(stranger.page.goto(url)).rejects.toThrow('INVALID_AUTH_CREDENTIALS')
    const admin = await browser.open({ httpCredentials: { username: 'anybody', password: 'the-token-of-the-admin' } })
    expect((await admin.page.goto(`${url}/traffic`))?.status()).toBe(200)
    await admin.page.locator('.plot canvas').first().waitFor()
    expect(admin.errors).toEqual([])
  })
})
