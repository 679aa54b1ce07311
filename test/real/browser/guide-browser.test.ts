import { expect, it } from 'vitest'
import { guideHtml } from '../../../src/guide/client/guide-html.ts'
import { script, shop } from '../../guide/client/support/clients.ts'
import { guideFor } from '../../guide/client/support/guide-for.ts'
import { hasChromium, openBrowser } from '../../support/open-browser.ts'

it.skipIf(!hasChromium)(
  'a guide fits a phone and a wide screen, by day and night, and prints its programs',
  async () => {
    const browser = await openBrowser()
    for (const [width, colorScheme] of [
      [375, 'dark'],
      [1_280, 'light'],
    ] as const) {
      const { page, errors } = await browser.open({ viewport: { width, height: 800 }, colorScheme })
      await page.setContent(guideHtml(guideFor([...shop, ...script], { client: 'x'.repeat(200) })))
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
      const program = page.locator('details pre').first()
      expect(await program.isVisible()).toBe(false)
      await page.locator('summary').first().click()
      expect(await program.isVisible()).toBe(true)
      await page.emulateMedia({ media: 'print' })
      expect(await page.evaluate("document.querySelectorAll('details:not([open]) pre')[0].checkVisibility()")).toBe(
        true,
      )
      expect(errors).toEqual([])
    }
  },
  60_000,
)
