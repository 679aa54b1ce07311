import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
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

/** A dossier with a difference, a write, unknown paths and long names, as a browser lays it out for print. */
async function printedDossier(): Promise<Page> {
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
  await sides.compared(4)
  const file = join(sides.folder, 'dossier.html')
  expect((await runCommand(['dossier', '--out', file, '--admin', sides.adminUrl])).exit).toBe(0)
  const { page } = await (await openBrowser()).open({ viewport: SHEET })
  await page.emulateMedia({ media: 'print' })
  await page.goto(`file://${file}`)
  return page
}

it.skipIf(!hasChromium)(
  'a dossier prints on A4: page one is one sheet, and no table is wider than a sheet',
  async () => {
    const page = await printedDossier()
    const tables = await page.$$eval('table', (all) => all.map(({ scrollWidth }) => scrollWidth))
    expect(tables.length).toBeGreaterThan(10)
    expect(Math.max(...tables)).toBeLessThanOrEqual(SHEET.width)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(SHEET.width)
    const bottom = () => page.$eval('.signature', (signature) => signature.getBoundingClientRect().bottom)
    expect(await bottom()).toBeLessThanOrEqual(SHEET.height)
    const text = await page.innerText('body')
    for (const field of ['Name', 'Date', 'Signature', 'Accepted by', 'Clients that it hits'])
      expect(text).toContain(field)
    expect(text).toContain('v1 has lost members of document: answer freightPrice, peakPrice')
    expect(text).toMatch(/v1 answers differently than legacy: currency-list\.\s+demo-client/)
    // The badges of verdicts and standings stay in one line.
    const lines = await page.$$eval('.verdict, .standing, .law', (all) => all.map((one) => one.getClientRects().length))
    expect(new Set(lines)).toEqual(new Set([1]))
    await page.$$eval('.risks tbody td:nth-child(2)', (all) => {
      for (const hits of all)
        hits.textContent = 'client-warehouse-01, client-warehouse-02, client-warehouse-03 and 37 others'
    })
    expect(await bottom()).toBeLessThanOrEqual(SHEET.height)
  },
)

const hasPdftotext = spawnSync('pdftotext', ['-v']).status === 0

it.skipIf(!hasChromium || !hasPdftotext)(
  'the PDF of a dossier has a number on each page, and no heading at the end of one',
  async () => {
    const page = await printedDossier()
    const pdf = await page.pdf({ preferCSSPageSize: true })
    const { stdout } = spawnSync('pdftotext', ['-layout', '-', '-'], { input: pdf, encoding: 'utf8' })
    const pages = stdout.split('\f').slice(0, -1)
    const linesOf = (text: string): readonly string[] =>
      text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.replaceAll(/\s+/g, ' ').trim()]))
    expect(pages.length).toBeGreaterThan(5)
    expect(pages.map((text) => linesOf(text).at(-1))).toEqual(pages.map((_, at) => `${at + 1} / ${pages.length}`))
    expect(pages[0]).toMatch(/Name +Date +Signature/)
    expect(linesOf(pages[1] ?? '')[0]).toBe('The evidence')
    const headings = await page.$$eval('h1, h2, h3, caption, thead', (all) =>
      all.map(({ textContent }) => (textContent ?? '').replaceAll(/\s/g, '')),
    )
    expect(headings).toContain('LegacyPartWhy')
    const ends = pages.map((text) => linesOf(text).at(-2) ?? '')
    expect(ends.filter((line) => headings.includes(line.replaceAll(' ', '')))).toEqual([])
  },
)
