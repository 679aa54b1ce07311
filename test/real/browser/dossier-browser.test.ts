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
