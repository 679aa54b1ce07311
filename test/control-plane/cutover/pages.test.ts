import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { placeOf } from '../../../src/planes/decisions.ts'
import { callLegacy } from '../../support/legacy-client.ts'
import { rowsOf, stagesOf, textOf } from '../../support/read-html.ts'
import { DEMO_LOGIN } from '../../support/side-by-side.ts'
import { QUICK, rolloutOf, startCutoverBed } from './support/cutover-bed.ts'

const BROWSER = { accept: 'text/html' }
const FORM = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' }

describe('the pages of the cut-over, with a gateway that runs a plan', () => {
  it('say before an order is given why it would be refused, and offer all others', async () => {
    const bed = await startCutoverBed(rolloutOf({ steps: [90, 100], approve: [100], ...QUICK, calls: 1_000 }))
    const gateway = await bed.start()
    await expect.poll(() => gateway.percent(), { interval: 10 }).toBe(90)
    const page = async (action: string): Promise<readonly [text: string, hasForm: boolean]> => {
      const { text } = await callLegacy(gateway.adminUrl, { path: `/cutover/invoice-list/${action}`, headers: BROWSER })
      return [textOf(text), text.includes('<form')]
    }
    const order = async (action: string): Promise<string> => {
      const body = JSON.stringify({ by: 'Ada', why: 'a test' })
      const headers = { 'content-type': 'application/json' }
      const { status, text } = await callLegacy(gateway.adminUrl, {
        ...{ path: `/cutover/invoice-list/${action}`, headers, body },
      })
      return status === 200 ? 'done' : (JSON.parse(text) as { message: string }).message
    }
    /** Asks for the page, then gives the order: the page must have said what comes of it. */
    const both = async (action: string): Promise<string> => {
      const [text, hasForm] = await page(action)
      const outcome = await order(action)
      expect([action, hasForm]).toEqual([action, outcome === 'done'])
      if (!hasForm) expect(text).toContain(`This order would be refused now: ${outcome}.`)
      return outcome
    }
    expect(await both('advance')).toBe('100 % needs an approval: approve it first')
    expect(await both('resume')).toContain('only a paused or stopped plan can be resumed')
    expect(await both('approve')).toBe('done')
    expect(await both('approve')).toContain('is already approved')
    expect(await both('pause')).toBe('done')
    expect(await both('advance')).toContain('it is paused at 90 %: resume it first')
    expect(await both('stop')).toBe('done')
    expect(await both('advance')).toContain('it is stopped: resume it first')
    expect(await both('stop')).toContain('it is already stopped')
    expect(await both('resume')).toBe('done')
  })

  it('lead from what goes on to a stop that is carried out, and to its entry of the audit', async () => {
    const bed = await startCutoverBed(rolloutOf({ steps: [90, 100], ...QUICK, calls: 1_000 }))
    const gateway = await bed.start({ tokenKeys: [randomBytes(32)], sunset: new Date(Date.now() + 86_400_000 * 30) })
    const page = async (path: string) => (await callLegacy(gateway.adminUrl, { path, headers: BROWSER })).text
    const login = await gateway.call({ path: '/auth/application', body: JSON.stringify(DEMO_LOGIN) })
    const { token } = JSON.parse(login.text) as { readonly token: string }
    await expect.poll(() => gateway.percent(), { interval: 10 }).toBe(90)
    expect(placeOf('demo-client')).toBeLessThan(90)
    expect(await gateway.answeredBy(token)).toBe('v1')
    await gateway.call({ path: '/api/labels/reprint?id=5', headers: { authorization: `Bearer ${token}` } })

    const before = await page('/')
    expect(textOf(before)).toContain('30 days are left until')
    const [row] = stagesOf(before).filter(([operation]) => operation === 'invoice-list')
    expect(row?.[1]).toContain('◐ 90 % on v1')
    expect(row?.[2]).toMatch(/^Waits for 999 more calls/)
    expect(rowsOf(before, 'unknown').map(([path]) => path)).toEqual(['GET /api/labels/reprint'])

    const rollout = rowsOf(await page('/rollout'), 'rollout')
    const saidOf = (id: string) => rollout.find(([operation]) => operation === id)
    expect(saidOf('invoice-list')?.slice(1, 3)).toEqual(['legacy', '90 % by its plan : 90, 100'])
    expect(saidOf('document')?.[4]).toBe('never: a write')
    expect(saidOf('auth')?.[4]).toBe('0 %')
    expect(saidOf('charge-list')?.slice(1, 5)).toEqual(['legacy', '0 %', 'none', 'never: v1 has no equivalent'])

    const asked = await page('/cutover/invoice-list/stop')
    expect(textOf(asked)).toContain('1 of 1 client will be answered by the legacy service instead : demo-client')
    const version = /name="version" value="(\d+)"/.exec(asked)?.[1] ?? ''
    const body = new URLSearchParams({ version, by: 'ada@example.com', why: 'the month ends' }).toString()
    const order = { path: '/cutover/invoice-list/stop', headers: FORM, body }
    expect((await callLegacy(gateway.adminUrl, order)).status).toBe(303)
    expect(await gateway.answeredBy(token)).toBe('legacy')
    expect(textOf(await page('/'))).toContain('invoice-list is stopped.')
    expect((await callLegacy(gateway.adminUrl, order)).status, 'the same form again').toBe(409)

    const story = textOf(await page('/audit?operation=invoice-list'))
    expect(story).toMatch(
      /invoice-list was stopped : from running at 90 % to stopped at 0 %, by ada@example\.com\. the month ends/,
    )
    bed.write(rolloutOf({ steps: [100], ...QUICK }))
    await expect
      .poll(async () => textOf(await page('/audit')))
      .toMatch(/The rollout file was changed ?\. .*plan\.steps 90, 100 → 100/)
  })
})
