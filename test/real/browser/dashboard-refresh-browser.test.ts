import { randomBytes } from 'node:crypto'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../../../src/app/config.ts'
import { startGateway } from '../../../src/app/start-gateway.ts'
import { changeStreams } from '../../../src/control-plane/admin/dashboard/change-streams.ts'
import { runNginx } from '../../bench/peers/run-nginx.ts'
import { busyDashboard } from '../../support/busy-dashboard.ts'
import { closeAtEnd } from '../../support/clean-up.ts'
import { dashboardSources, trafficAt } from '../../support/dashboard-sources.ts'
import { measure } from '../../support/measure-page.ts'
import { hasChromium, type OpenedBrowser } from '../../support/open-browser.ts'
import { openDashboard } from '../../support/open-dashboard.ts'
import { openSharedBrowser } from '../../support/open-shared-browser.ts'

const SLOW = { timeout: 60_000 }

const name = hasChromium ? 'a page that renews itself' : 'a page that renews itself (skipped: no /usr/bin/chromium)'

/** A busy dashboard with an operation whose mismatches can be changed. */
async function changing({ everyMs = 50 } = {}) {
  let mismatched = 5
  const changes = changeStreams(() => `${mismatched}`, { everyMs })
  const busy = busyDashboard({ changes })
  const experiments = async () => {
    const all = await busy.experiments()
    return {
      ...all,
      operations: all.operations.map((each) =>
        each.operation === 'invoice-list' ? { ...each, totals: { ...each.totals, mismatched } } : each,
      ),
    }
  }
  const { url } = await openDashboard({ ...busy, experiments })
  return {
    url,
    change: (to: number): void => {
      mismatched = to
    },
  }
}

const figure = (page: Page) => page.locator('.figures').first().locator('div', { hasText: 'Mismatched' }).locator('dd')

describe.skipIf(!hasChromium)(name, SLOW, () => {
  let browser: OpenedBrowser
  beforeAll(async () => {
    browser = await openSharedBrowser()
  }, SLOW.timeout)

  it('shows the newer numbers where the reader is, with what was open, focused and shown still so', async () => {
    const { url, change } = await changing()
    const { page, errors } = await browser.open({ viewport: { width: 375, height: 740 } })
    await page.goto(`${url}/side-by-side/invoice-list`)
    await page.getByText('All figures').click()
    await page.getByText('Rule and circumstances').first().click()
    await page.getByText('as curl', { exact: true }).first().click()
    const place = page.getByRole('button', { name: 'places' }).first()
    await place.click()
    const stand = () =>
      measure(
        page,
        `({
        y: scrollY,
        open: document.querySelectorAll('main details[open]').length,
        focused: document.activeElement.textContent,
        meaning: document.querySelector('#meaning-of-place').matches(':popover-open'),
      })`,
      )
    const before = await stand()
    expect(before).toEqual({ y: expect.any(Number), open: 3, focused: 'places', meaning: true })
    change(1_234)
    await expect.poll(() => figure(page).innerText(), SLOW).toBe('1,234')
    expect(await stand()).toEqual(before)
    expect((before as { readonly y: number }).y).toBeGreaterThan(100)
    expect(await page.locator('footer').innerText()).toContain('This page renews itself. ')
    expect(errors).toEqual([])
  })

  it('keeps a half-written filter, draws its plots again, and writes times in the zone of the reader', async () => {
    const traffic = trafficAt()
    traffic.at(5, 'price', 'anna')
    let calls = 1
    const changes = changeStreams(() => `${calls}`, { everyMs: 50 })
    const { url } = await openDashboard(dashboardSources({ traffic: traffic.snapshot, changes }))
    const { page, errors } = await browser.open({ timezoneId: 'Europe/Istanbul' })
    await page.goto(`${url}/traffic`)
    await page.locator('#client').fill('ann')
    await page.locator('.plot').first().scrollIntoViewIfNeeded()
    const drawn = await measure<string>(page, "document.querySelector('.plot canvas').toDataURL()")
    for (; calls < 50; calls++) traffic.at(3, 'price', 'berta')
    await expect.poll(() => page.locator('#by-client').innerText(), SLOW).toContain('berta')
    expect(await page.locator('#client').inputValue()).toBe('ann')
    expect(await measure(page, 'document.activeElement.id')).toBe('client')
    await expect
      .poll(() => measure<string>(page, "document.querySelector('.plot canvas').toDataURL()"), SLOW)
      .not.toBe(drawn)
    expect(await page.locator('.plot').count()).toBe(await page.locator('.plot canvas').count())
    expect(await page.locator('footer').innerText()).toContain('Times are in your zone, Europe/Istanbul')
    expect(await page.locator('main time').first().innerText()).toContain('GMT+3')
    expect(errors).toEqual([])
  })

  it('shows at once what has changed while nobody looked', async () => {
    const { url, change } = await changing({ everyMs: 600_000 })
    const { page } = await browser.open()
    await page.goto(`${url}/side-by-side/invoice-list`)
    const hide = (hidden: boolean) =>
      measure(
        page,
        `(() => {
        Object.defineProperty(document, 'hidden', { value: ${hidden}, configurable: true })
        document.dispatchEvent(new Event('visibilitychange'))
      })()`,
      )
    await expect.poll(() => page.locator('footer').innerText(), SLOW).toContain('This page renews itself. ')
    await hide(true)
    change(77)
    await hide(false)
    await expect.poll(() => figure(page).innerText(), SLOW).toBe('77')
  })

  it('listens only while someone looks at it, and not where a form changes something', async () => {
    const { url } = await changing()
    const { page } = await browser.open()
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    for (const path of ['/cutover/currency-list/advance', '/explain', '/mappings', '/words', '/nothing']) {
      await page.goto(url + path)
    }
    expect(asked).not.toContain('/assets/refresh.js')
    await page.goto(`${url}/side-by-side`)
    await expect.poll(() => asked, SLOW).toContain('/changes')
    const listening = asked.length
    await measure(
      page,
      `(() => {
      Object.defineProperty(document, 'hidden', { value: true })
      document.dispatchEvent(new Event('visibilitychange'))
    })()`,
    )
    await page.evaluate('new Promise((resolve) => setTimeout(resolve, 300))')
    expect(asked.slice(listening)).toEqual([])
  })
})

const settings = { HOST: '127.0.0.1', PORT: '0', ADMIN_PORT: '0', LOG_LEVEL: 'fatal', DRAIN_MS: '0' }

describe('a stream of a running gateway', SLOW, () => {
  it('comes through nginx at once, and ends well when the gateway stops', async () => {
    const key = randomBytes(32).toString('base64')
    const gateway = await startGateway(readConfig({ ...settings, TOKEN_KEY: key }))
    closeAtEnd(() => gateway.stop())
    const nginx = await runNginx({
      http: (port) => `server { listen 127.0.0.1:${port}; location / { proxy_pass ${gateway.adminUrl}; } }`,
    })
    closeAtEnd(nginx.stop)
    const [direct, behind] = await Promise.all([gateway.adminUrl, nginx.url].map((url) => fetch(`${url}/changes`)))
    const reader = behind?.body?.getReader()
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe(':\n\n')
    const rest = direct?.text()
    await gateway.stop()
    // Cut off instead, it would be an error.
    expect(await rest).toMatch(/^:\n\n/)
  })
})
