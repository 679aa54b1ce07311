import { beforeAll, describe, expect, it } from 'vitest'
import { busyDashboard } from '../../support/busy-dashboard.ts'
import { busyCutover } from '../../support/cutover-sources.ts'
import { startHttpServer } from '../../support/http-server.ts'
import { lowContrasts, measure, overflow, tabTo } from '../../support/measure-page.ts'
import { hasChromium, type OpenedBrowser } from '../../support/open-browser.ts'
import { openDashboard } from '../../support/open-dashboard.ts'
import { openSharedBrowser } from '../../support/open-shared-browser.ts'

const SLOW = { timeout: 60_000 }
const PHONE = { width: 375, height: 740 }
const TOKEN = 'the-token-of-the-admin'
const ADMIN = { httpCredentials: { username: 'anybody', password: TOKEN } }

const opened = async (token?: string) => {
  const cutover = busyCutover()
  return { cutover, ...(await openDashboard(busyDashboard({ cutover }), token)) }
}

const name = hasChromium
  ? 'the page Switch-off in a browser'
  : 'the page Switch-off in a browser (skipped: no /usr/bin/chromium)'

describe.skipIf(!hasChromium)(name, SLOW, () => {
  let browser: OpenedBrowser
  beforeAll(async () => {
    // A name that is not this machine's own: without TLS a browser sends less to it.
    browser = await openSharedBrowser(['--host-resolver-rules=MAP admin.test 127.0.0.1'])
  }, SLOW.timeout)

  it.each([
    ['with scripts', true, (url: string) => url],
    ['without scripts', false, (url: string) => url],
    ['over plain HTTP on another host', false, (url: string) => url.replace('127.0.0.1', 'admin.test')],
  ])('leads from stop over the confirmation to what was decided, %s', async (_, javaScriptEnabled, at) => {
    const { url, cutover } = await opened(TOKEN)
    const { page, errors } = await browser.open({ javaScriptEnabled, ...ADMIN })
    await page.goto(at(url))
    await page.getByRole('link', { name: 'Stop currency-list' }).click()
    await page.getByRole('heading', { name: 'Stop currency-list?' }).waitFor()
    await page.getByLabel('By (who decides this)').fill('ada@example.com')
    await page.getByLabel('Why').fill('the month ends')
    await page.getByRole('button', { name: 'Stop currency-list' }).click()
    await page.getByRole('heading', { name: 'Switch-off' }).waitFor()
    expect(new URL(page.url()).pathname + new URL(page.url()).hash).toBe('/#operation-currency-list')
    expect(await page.locator('.alert.stopped').innerText()).toContain('currency-list is stopped.')
    expect(cutover.orders).toEqual([
      { operation: 'currency-list', action: 'stop', by: 'ada@example.com', why: 'the month ends', version: 7 },
    ])
    await page.getByRole('link', { name: 'Audit' }).click()
    expect(await page.locator('.story li').first().innerText()).toMatch(
      /currency-list was stopped: from running at 5 % to stopped at 0 %, by ada@example\.com\.\s+the month ends/,
    )
    expect(errors).toEqual([])
  })

  it('is carried out once: of two people who decide at once, the second sees the current state', async () => {
    const { url, cutover } = await opened()
    const both = [await browser.open({ javaScriptEnabled: false }), await browser.open({ javaScriptEnabled: false })]
    for (const { page } of both) await page.goto(`${url}/cutover/price/pause`)
    for (const { page } of both) {
      await page.getByLabel('By (who decides this)').fill('ada')
      await page.getByLabel('Why').fill('x')
      await page.getByRole('button', { name: 'Pause price' }).click()
    }
    const second = both[1]?.page
    expect(await second?.getByRole('alert').last().innerText()).toMatch(
      /Not done\..*not 7.*Look at where it stands now/,
    )
    expect(await second?.locator('.lead').innerText()).toContain('Now: paused at 0 %')
    expect(cutover.reports().find(({ operation }) => operation === 'price')?.version).toBe(8)
  })

  it('is not carried out when a page of another origin sends the form', async () => {
    const { url, cutover } = await opened()
    const fields = ['by', 'why', 'version'].map((name) => `<input name="${name}" value="7">`).join('')
    const page = `<!doctype html><form method="post" action="${url}/cutover/price/stop">${fields}<button>Win</button></form>`
    const evil = await startHttpServer((_, response) => response.end(page))
    const browsed = await browser.open()
    await browsed.page.goto(evil.url)
    await browsed.page.getByRole('button').click()
    await browsed.page.getByRole('heading', { name: 'Refused' }).waitFor()
    expect(cutover.orders).toEqual([])
  })

  it('is used with the keyboard alone, on a phone', async () => {
    const { url, cutover } = await opened()
    const { page } = await browser.open({ viewport: PHONE })
    await page.goto(url)
    await tabTo(page, 'Approve country-list')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Approve country-list?' }).waitFor()
    await tabTo(page, 'by')
    await page.keyboard.type('ada')
    await tabTo(page, 'why')
    await page.keyboard.type('seen and agreed')
    await tabTo(page, 'Approve country-list')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Switch-off' }).waitFor()
    expect(cutover.orders.map(({ action, why }) => [action, why])).toEqual([['approve', 'seen and agreed']])
  })

  it('tells the changes of seven days by the keyboard, without scripts, and sets a cookie that scripts cannot read', async () => {
    const { url } = await opened()
    const { page } = await browser.open({ javaScriptEnabled: false, viewport: PHONE })
    await page.goto(url)
    await tabTo(page, 'Last 7 days')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Since seven days ago' }).waitFor()
    expect(await page.locator('.changes').innerText()).toContain('was stopped by the brake')
    expect(await page.context().cookies()).toMatchObject([
      { name: 'legacy-gateway-visit', httpOnly: true, sameSite: 'Strict' },
    ])
  })

  it('draws the calls of each day by side, the share on v1 and the match rate', async () => {
    const { url } = await opened()
    const { page, errors } = await browser.open({ viewport: PHONE })
    await page.goto(url)
    const plots = page.locator('.plot canvas')
    await expect.poll(() => plots.count()).toBe(2)
    const lines = ['Day (UTC)', 'By v1', 'By legacy', 'Day (UTC)', 'Share on v1', 'Match rate']
    expect(await page.locator('.plot .u-legend .u-label').allInnerTexts()).toEqual(lines)
    expect([await overflow(page), errors]).toEqual([0, []])
  })

  it('unfolds the row of an operation that no plan moves, from its name above', async () => {
    const { url } = await opened()
    const { page } = await browser.open()
    await page.goto(url)
    const row = page.locator('#operation-charge-list')
    expect(await row.isVisible()).toBe(false)
    await page.locator('.needing').getByRole('link', { name: 'charge-list' }).click()
    await row.waitFor()
  })

  it('keeps days the days of UTC, and says no day that a time is not of, wherever the reader is', async () => {
    const { url } = await opened()
    const { page } = await browser.open({ timezoneId: 'America/Los_Angeles' })
    await page.goto(url)
    const days = await page.locator('#per-day tbody time').evaluateAll((all) => all.map((each) => each.textContent))
    expect(days[0]).toBe('2025-03-04')
    await page
      .locator('.plot .u-over')
      .first()
      .hover({ position: { x: 2, y: 50 } })
    expect(await page.locator('.plot .u-legend .u-value').first().innerText()).toBe(days.at(-1))
    const ago = await measure(
      page,
      `(() => {
      const hours = (many) => Object.assign(document.createElement('time'), { dateTime: new Date(Date.now() - many * 3_600_000).toISOString() })
      const times = [hours(35), hours(3)]
      document.querySelector('main').append(...times)
      document.dispatchEvent(new Event('refreshed'))
      return times.map((each) => each.querySelector('small').textContent)
    })()`,
    )
    expect(ago).toEqual(['(1 day ago)', '(3 hr. ago)'])
  })

  it.each([
    ['by day', 'light'],
    ['by night', 'dark'],
  ] as const)('fits a phone, and every text stands out by at least 4.5 to 1, %s', async (_, colorScheme) => {
    const { url } = await opened()
    const { page } = await browser.open({ viewport: PHONE, colorScheme })
    for (const path of ['/', '/cutover/invoice-list/resume', '/cutover/currency-list/stop', '/audit']) {
      await page.goto(url + path)
      expect(await overflow(page), path).toBeLessThanOrEqual(0)
      expect(await lowContrasts(page), path).toEqual([])
    }
  })
})
