import { existsSync } from 'node:fs'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { closeAtEnd } from './clean-up.ts'

/** Its path in Debian. */
const CHROMIUM = '/usr/bin/chromium'

export const hasChromium = existsSync(CHROMIUM)

/** A page of a browser, and its problems. */
export interface WatchedPage {
  readonly page: Page
  /** Errors on the console, exceptions, and files that could not be loaded. */
  readonly errors: readonly string[]
  /** The origins of all requests. */
  readonly origins: ReadonlySet<string>
  /** Forgets the errors and origins so far. */
  forget(): void
}

export interface OpenedBrowser {
  open(options?: BrowserContextOptions): Promise<WatchedPage>
}

/** Chromium, until the file's tests have run. `args`: of its command line. */
export async function openBrowser(args: readonly string[] = []): Promise<OpenedBrowser> {
  const browser: Browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', ...args] })
  closeAtEnd(() => browser.close())
  return {
    async open(options = {}) {
      const page = await (await browser.newContext(options)).newPage()
      const errors: string[] = []
      const origins = new Set<string>()
      page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
      page.on('pageerror', (error) => errors.push(error.message))
      // A page that is left ends its stream.
      page.on('requestfailed', (request) => request.resourceType() !== 'eventsource' && errors.push(request.url()))
      page.on('request', (request) => origins.add(new URL(request.url()).origin))
      const forget = (): void => {
        errors.length = 0
        origins.clear()
      }
      return { page, errors, origins, forget }
    },
  }
}
