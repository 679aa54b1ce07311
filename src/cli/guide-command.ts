import { AdminPortError, type AdminPortOptions, askAdmin, messageIn, orCouldNotAsk, parsed } from './admin-port.ts'
import { printable } from './printing.ts'

interface GuideOptions extends AdminPortOptions {
  readonly format: 'md' | 'html' | 'json'
  readonly snippets: string
}

const UNKNOWN = 1

/** `legacy-gateway guide CLIENT`: prints a client's guide. Returns the exit code. */
export const guide = (client: string, { format, snippets, ...options }: GuideOptions): Promise<number> =>
  orCouldNotAsk(async () => {
    const path = `clients/~/guide?${new URLSearchParams({ client, format, snippets })}`
    const { url, status, text } = await askAdmin(path, options)
    if (status === 200) {
      process.stdout.write(withoutControls(text))
      return 0
    }
    const message = messageIn(text)
    // The legacy port has no such path either, but it names no client.
    if (message === undefined || (status === 404 && !namesClient(text))) {
      throw new AdminPortError(`${url.origin} does not serve guides (${status}): is it the admin port of this gateway?`)
    }
    if (status !== 404)
      throw new AdminPortError(`the gateway at ${url.origin} answers ${status}: ${printable(message)}`)
    console.error(printable(message))
    return UNKNOWN
  })

const namesClient = (text: string): boolean => typeof (parsed(text) as { client?: unknown }).client === 'string'

/** Replaces control characters: what clients sent must not control a terminal. */
const withoutControls = (text: string): string => text.replaceAll(/[^\P{C}\n\t]/gu, '\ufffd')
