import { expect, it } from 'vitest'
import { guideHtml } from '../../../src/guide/client/guide-html.ts'
import { snippetsOf } from '../../../src/guide/snippets/snippets-of.ts'
import { erp, script, shop } from '../../guide/client/support/clients.ts'
import { guideFor } from '../../guide/client/support/guide-for.ts'
import { hasChromium, openBrowser } from '../../support/open-browser.ts'

/** The languages of the programs that can be seen. The project's types know no browser, hence an expression. */
const SHOWN =
  "[...document.querySelectorAll('.program')].filter((one) => one.checkVisibility()).map((one) => one.dataset.in)"

it.skipIf(!hasChromium)(
  'a guide fits a phone and a wide screen, by day and night; all its programs are in the language that its reader chooses, on paper too; its steps lead to the operations',
  async () => {
    const browser = await openBrowser()
    for (const [width, colorScheme] of [
      [375, 'dark'],
      [1_280, 'light'],
    ] as const) {
      const { page, errors } = await browser.open({ viewport: { width, height: 800 }, colorScheme })
      const guide = guideFor([...shop, ...script, ...erp], { client: 'x'.repeat(200), snippetsOf })
      await page.setContent(guideHtml(guide, 'Python'))
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
      const shown = async () => new Set((await page.evaluate(SHOWN)) as readonly string[])
      expect(await shown()).toEqual(new Set(['Python']))
      await page.locator('#in-Python').focus()
      await page.keyboard.press('ArrowRight')
      expect(await shown()).toEqual(new Set(['Java']))
      await page.emulateMedia({ media: 'print' })
      expect(await shown()).toEqual(new Set(['Java']))
      await page.emulateMedia({ media: 'screen' })
      await page.locator('ol a', { hasText: 'unit-list' }).click()
      const [heading, chooser] = await Promise.all([
        page.locator('#unit-list h2').boundingBox(),
        page.locator('.languages').boundingBox(),
      ])
      expect(heading?.y).toBeGreaterThanOrEqual((chooser?.y ?? 0) + (chooser?.height ?? 0))
      expect(heading?.y).toBeLessThan(200)
      expect(errors).toEqual([])
    }
  },
  60_000,
)
