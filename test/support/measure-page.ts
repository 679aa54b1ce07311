import type { Page } from 'playwright-core'

/** Runs in the page. It is text, since the project has no types of a browser. */
export const measure = <T>(page: Page, expression: string): Promise<T> => page.evaluate(expression) as Promise<T>

/** How much wider than the screen a page is, once its style sheets are loaded: what is visible may not have them yet. */
export async function overflow(page: Page): Promise<number> {
  await page.waitForLoadState()
  return measure(page, 'document.documentElement.scrollWidth - document.documentElement.clientWidth')
}

/** Presses Tab until something has the focus: by its id, its label or its text. */
export async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 80; presses++) {
    await page.keyboard.press('Tab')
    const at: string = await measure(
      page,
      "document.activeElement.id || document.activeElement.getAttribute('aria-label') || document.activeElement.textContent.trim()",
    )
    if (at === name) return
  }
  throw new Error(`the keyboard does not come to ${name}`)
}

/** The contrast of a text with what is behind it (WCAG 2.2), of every element that has text of its own. */
const CONTRASTS = `(() => {
  const numbers = (color) => color.match(/[\\d.]+/g).map(Number)
  const over = ([r, g, b, a = 1], below) => [r, g, b].map((part, at) => part * a + below[at] * (1 - a))
  const light = (rgb) => rgb.map((part) => part / 255).map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
    .reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at], 0)
  const behind = (element) => element === null ? [255, 255, 255] : over(numbers(getComputedStyle(element).backgroundColor), behind(element.parentElement))
  return [...document.querySelectorAll('main *')]
    .filter((element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '') && element.checkVisibility())
    .map((element) => {
      const back = behind(element)
      const [a, b] = [light(over(numbers(getComputedStyle(element).color), back)), light(back)]
      return [(Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), element.outerHTML.slice(0, 100)]
    })
})()`

/** The texts of a page that stand out by less than 4.5 to 1, with their ratio. Throws where there is hardly any text. */
export async function lowContrasts(page: Page): Promise<readonly (readonly [number, string])[]> {
  const contrasts = await measure<readonly (readonly [number, string])[]>(page, CONTRASTS)
  if (contrasts.length <= 5) throw new Error(`only ${contrasts.length} texts are on the page`)
  return contrasts.filter(([ratio]) => ratio < 4.5)
}
