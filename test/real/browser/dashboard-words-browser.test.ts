import { beforeAll, describe, expect, it } from 'vitest'
import { WORDS } from '../../../src/control-plane/admin/dashboard/words-page.ts'
import { busyDashboard } from '../../support/busy-dashboard.ts'
import { measure, overflow, tabTo } from '../../support/measure-page.ts'
import { hasChromium, type OpenedBrowser } from '../../support/open-browser.ts'
import { type OpenedDashboard, openDashboard } from '../../support/open-dashboard.ts'
import { openSharedBrowser } from '../../support/open-shared-browser.ts'

const DESKTOP = { width: 1_280, height: 800 }
const PHONE = { width: 375, height: 740 }
const SLOW = { timeout: 60_000 }

const name = hasChromium ? 'a word that explains itself' : 'a word that explains itself (skipped: no /usr/bin/chromium)'

describe.skipIf(!hasChromium)(name, SLOW, () => {
  let browser: OpenedBrowser
  let dashboard: OpenedDashboard
  beforeAll(async () => {
    browser = await openSharedBrowser()
    dashboard = await openDashboard(busyDashboard())
  }, SLOW.timeout)

  const meaning = '#meaning-of-unit'

  it.each([
    ['at a desk', DESKTOP, true],
    ['at a desk, without scripts', DESKTOP, false],
    ['on a phone', PHONE, true],
    ['on a phone, without scripts', PHONE, false],
  ])(
    'shows its meaning within the window when it is tapped, and leads to all words, %s',
    async (_, viewport, javaScriptEnabled) => {
      const { page, errors } = await browser.open({ viewport, javaScriptEnabled, hasTouch: true })
      await page.goto(`${dashboard.url}/side-by-side/invoice-list`)
      expect(await page.locator(meaning).isVisible()).toBe(false)
      await page.getByRole('button', { name: 'Units', exact: true }).tap()
      await page.locator(meaning).waitFor()
      expect(await page.locator(meaning).innerText()).toContain(WORDS.unit)
      const { x = -1, y = -1, width = 0, height = 0 } = (await page.locator(meaning).boundingBox()) ?? {}
      expect([x >= 0, y >= 0, x + width <= viewport.width, y + height <= viewport.height]).toEqual([
        true,
        true,
        true,
        true,
      ])
      await page.locator(meaning).getByRole('link', { name: 'All words' }).tap()
      await page.getByRole('heading', { name: 'Words' }).waitFor()
      expect(new URL(page.url()).hash).toBe('#unit')
      expect(await overflow(page)).toBeLessThanOrEqual(0)
      expect(errors).toEqual([])
    },
  )

  it('shows its meaning to the keyboard, whose next stop is the link in it, and hides it with Escape', async () => {
    const { page } = await browser.open()
    await page.goto(`${dashboard.url}/side-by-side/invoice-list`)
    await tabTo(page, 'Units')
    await page.keyboard.press('Enter')
    await page.locator(meaning).waitFor()
    await page.keyboard.press('Tab')
    expect(await measure(page, 'document.activeElement.hash')).toBe('#unit')
    await page.keyboard.press('Escape')
    await page.locator(meaning).waitFor({ state: 'hidden' })
    expect(await measure(page, 'document.activeElement.textContent')).toBe('Units')
  })

  it('says its meaning to a pointer that rests on it, and to screen readers', async () => {
    const { page } = await browser.open()
    await page.goto(`${dashboard.url}/side-by-side`)
    expect(await page.getByRole('button', { name: 'Match rate', exact: true }).getAttribute('title')).toBe(
      WORDS['match rate'],
    )
  })
})
