import { join } from 'node:path'
import { expect, it } from 'vitest'
import { hasChromium, openBrowser } from '../../support/open-browser.ts'
import { runCommand } from '../../support/run-command.ts'
import { startSideBySide } from '../../support/side-by-side.ts'

const INVOICES = '/api/invoice/list'

it.skipIf(!hasChromium)(
  'a dossier is readable in a browser, also on a phone, without a request or an error',
  async () => {
    const why = 'rates move between two reads <script>alert(1)</script>'
    const sides = await startSideBySide({
      operations: { '*': { serve: 'legacy', shadow: 1 } },
      ignore: [{ operation: 'invoice-list', path: 'data[].priceUsd', why }],
    })
    for (const page of [1, 2]) await sides.call(INVOICES, { page, perPage: 2 })
    await sides.compared(2)
    const file = join(sides.folder, 'dossier.html')
    expect((await runCommand(['dossier', '--out', file, '--admin', sides.adminUrl])).exit).toBe(0)
    const { page, errors, origins } = await (await openBrowser()).open({ viewport: { width: 390, height: 800 } })
    await page.goto(`file://${file}`)
    expect(await page.locator('h1').innerText()).toBe('Dossier')
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
    expect([errors, [...origins]]).toEqual([[], ['null']])
  },
)

/** A sheet of A4 without its margins, in CSS pixels. */
const SHEET = { width: 680, height: 994 }

it.skipIf(!hasChromium)(
  'a dossier prints on A4: page one is one sheet, and no table is wider than a sheet',
  async () => {
    const rule = (path: string) => ({ operation: 'invoice-list', path, why: 'rates move between two reads' })
    const sides = await startSideBySide({
      operations: { '*': { serve: 'legacy', shadow: 1 } },
      ignore: [
        rule('data[].priceUsd'),
        rule('data[].aMemberWithAnExtraordinarilyLongName.andAnotherOneWithinIt.andOneMore'),
      ],
    })
    await sides.plant('legacy', { path: '/api/currency', kind: 'change', at: '[].code', to: 'another' })
    await sides.call('/api/currency')
    for (const page of [1, 2]) await sides.call(INVOICES, { page, perPage: 2 })
    await sides.call('/api/consignment/document', { recipientAddress: { countryId: 57 } })
    await sides.call('/api/charges', {})
    await sides.call('/api/no-mapping-knows-this')
    await sides.compared(4)
    const file = join(sides.folder, 'dossier.html')
    expect((await runCommand(['dossier', '--out', file, '--admin', sides.adminUrl])).exit).toBe(0)
    const { page } = await (await openBrowser()).open({ viewport: SHEET })
    await page.emulateMedia({ media: 'print' })
    await page.goto(`file://${file}`)
    const tables = await page.$$eval('table', (all) => all.map(({ scrollWidth }) => scrollWidth))
    expect(tables.length).toBeGreaterThan(10)
    expect(Math.max(...tables)).toBeLessThanOrEqual(SHEET.width)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(SHEET.width)
    const bottom = await page.$eval('.signature', (signature) => signature.getBoundingClientRect().bottom)
    expect(bottom).toBeLessThanOrEqual(SHEET.height)
    const text = await page.innerText('body')
    for (const field of ['Name', 'Date', 'Signature', 'Accepted by', 'Clients that it hits'])
      expect(text).toContain(field)
    expect(text).toContain('Paths that no mapping knows')
    expect(text).toMatch(/v1 answers differently than legacy: currency-list\.\s+demo-client/)
  },
)
