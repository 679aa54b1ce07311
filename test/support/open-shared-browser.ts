import { onTestFinished } from 'vitest'
import { type OpenedBrowser, openBrowser, type WatchedPage } from './open-browser.ts'

const DESKTOP = { width: 1_280, height: 800 }

/**
 * Chromium, until the file's tests have run, for tests that run one after another. The page that a test has left is the next one's:
 * a new one takes the processor ten times as long as another address.
 */
export async function openSharedBrowser(args: readonly string[] = []): Promise<OpenedBrowser> {
  const browser = await openBrowser(args)
  /** The pages that no test uses now, by those options that cannot be changed. */
  const left = new Map<string, WatchedPage[]>()
  return {
    async open({ viewport = DESKTOP, colorScheme = 'light', ...options } = {}) {
      const key = JSON.stringify(options)
      const others = left.get(key) ?? []
      left.set(key, others)
      const watched = others.pop() ?? (await browser.open(options))
      onTestFinished(() => {
        others.push(watched)
      })
      await watched.page.goto('about:blank')
      await watched.page.emulateMedia({ colorScheme })
      if (viewport !== null) await watched.page.setViewportSize(viewport)
      watched.forget()
      return watched
    },
  }
}
