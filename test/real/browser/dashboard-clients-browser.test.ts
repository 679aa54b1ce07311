import { beforeAll, describe, expect, it } from 'vitest'
import { busyDashboard } from '../../support/busy-dashboard.ts'
import { LONGEST_NAME } from '../../support/busy-usage.ts'
import { lowContrasts, measure, overflow, tabTo } from '../../support/measure-page.ts'
import { hasChromium, type OpenedBrowser } from '../../support/open-browser.ts'
import { type OpenedDashboard, openDashboard } from '../../support/open-dashboard.ts'
import { openSharedBrowser } from '../../support/open-shared-browser.ts'

const DESKTOP = { width: 1_280, height: 800 }
const PHONE = { width: 375, height: 740 }

const PATHS = [
  '/clients',
  '/clients?days=400&sort=client',
  '/clients?client=zoe',
  '/clients/demo-client',
  `/clients/${encodeURIComponent(LONGEST_NAME)}`,
]

const name = hasChromium
  ? 'the page Clients in a browser'
  : 'the page Clients in a browser (skipped: no /usr/bin/chromium)'

describe.skipIf(!hasChromium)(name, () => {
  let browser: OpenedBrowser
  let dashboard: OpenedDashboard
  beforeAll(async () => {
    browser = await openSharedBrowser()
    dashboard = await openDashboard(busyDashboard())
  })

  // Colours do not depend on the width, nor the layout on the time of day.
  it.each([
    ['at a desk, by day', DESKTOP, 'light'],
    ['on a phone, by night', PHONE, 'dark'],
  ] as const)(
    'fits the screen, and every text stands out by at least 4.5 to 1, %s',
    async (_, viewport, colorScheme) => {
      const { page, errors } = await browser.open({ viewport, colorScheme, javaScriptEnabled: true })
      for (const path of PATHS) {
        await page.goto(dashboard.url + path)
        expect(await overflow(page), path).toBeLessThanOrEqual(0)
        expect(await lowContrasts(page), path).toEqual([])
      }
      expect(errors).toEqual([])
    },
  )

  it('shows the whole table at a desk, without scrolling sideways', async () => {
    const { page } = await browser.open({ viewport: DESKTOP })
    await page.goto(`${dashboard.url}/clients`)
    expect(
      await measure<number>(
        page,
        "Math.max(...[...document.querySelectorAll('.scroll')].map((box) => box.scrollWidth - box.clientWidth))",
      ),
    ).toBeLessThanOrEqual(0)
  })

  it('is filtered and sorted with the keyboard alone, without scripts, on a phone', async () => {
    const { page } = await browser.open({ viewport: PHONE, javaScriptEnabled: false })
    await page.goto(`${dashboard.url}/clients`)
    await page.getByLabel('Client’s name contains').focus()
    await page.keyboard.type('ISIL')
    await page.keyboard.press('Tab')
    await page.keyboard.type('price')
    await page.keyboard.press('Tab')
    await page.keyboard.type('last 90')
    await page.keyboard.press('Tab')
    await page.keyboard.type('errors')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByText('Calls of price in the last 90 days', { exact: true }).waitFor()
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
      ...{ client: 'ISIL', operation: 'price', days: '90', sort: 'errors' },
    })
    expect(await page.locator('#clients').getByRole('rowheader').allInnerTexts()).toEqual([
      'Işıl Çiçekçilik & Gıda A.Ş.',
    ])
    await page.getByRole('link', { name: 'Reset' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('All calls in the last 30 days', { exact: true }).waitFor()
    expect(await page.locator('#clients').getByRole('rowheader').count()).toBe(40)
  })

  it('is sorted by the heads of its columns, and says to screen readers how', async () => {
    const { page } = await browser.open({ viewport: DESKTOP, javaScriptEnabled: false })
    await page.goto(`${dashboard.url}/clients`)
    const head = () => page.locator('#clients').getByRole('columnheader', { name: 'Client', exact: true })
    expect(await head().getAttribute('aria-sort')).toBe('none')
    await head().getByRole('link').focus()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/clients?sort=client')
    expect(await head().getAttribute('aria-sort')).toBe('ascending')
    expect(await page.locator('#clients').getByRole('rowheader').first().innerText()).toBe('..')
    await head().getByRole('link').focus()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/clients?sort=client&order=desc')
    expect(await page.locator('#clients').getByRole('rowheader').last().innerText()).toBe('..')
  })

  it('has nothing in the order of focus that is not seen, on a phone', async () => {
    const { page } = await browser.open({ viewport: PHONE })
    await page.goto(`${dashboard.url}/clients`)
    await tabTo(page, 'Reset')
    await page.keyboard.press('Tab')
    // The table, which can be scrolled, and then its first client.
    expect(await measure(page, 'document.activeElement.className')).toBe('scroll')
    await page.keyboard.press('Tab')
    expect(await measure(page, 'document.activeElement.textContent')).toBe('demo-client')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'demo-client' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/clients/demo-client')
  })

  it('leads to the page of every client, whatever the name', async () => {
    const { page, errors } = await browser.open({ viewport: PHONE })
    for (const client of ['..', 'a/b?c=1#d', 'متجر القاهرة', LONGEST_NAME]) {
      await page.goto(`${dashboard.url}/clients`)
      await page.getByRole('link', { name: client, exact: true }).click()
      await page.getByRole('heading', { level: 1, name: client, exact: true }).waitFor()
      expect(await overflow(page), client).toBeLessThanOrEqual(0)
    }
    expect(errors).toEqual([])
  })

  it('says the weeks to screen readers', async () => {
    const { page } = await browser.open({ viewport: DESKTOP })
    await page.goto(`${dashboard.url}/clients/demo-client`)
    expect(
      await page.getByRole('img', { name: /^Calls per week, the oldest first: [\d,]+(; [\d,]+){11}$/ }).count(),
    ).toBe(2)
    await page.getByText('Numbers per week').click()
    expect(
      await page.getByRole('table', { name: 'Calls per seven days, the latest first' }).getByRole('row').count(),
    ).toBe(13)
  })
})
