import type { Logger } from 'pino'
import { throttleReport } from '../observe/throttle-report.ts'
import type { Connecting } from '../upstream/connector.ts'
import { lookUp } from '../upstream/look-up.ts'
import { proxyFor } from '../upstream/proxy.ts'
import { watchTlsFiles } from '../upstream/tls-files.ts'
import type { ConnectingSettings } from './config.ts'
import { VERSION } from './version.ts'

/** How a service is connected to at its address. @throws TlsFilesError when its files cannot be used any more. */
export function connectingTo(
  service: 'v1' | 'legacy',
  baseUrl: URL,
  { [service]: files, proxy }: ConnectingSettings,
  log?: Logger,
): Connecting {
  const onRefused = (problems: readonly string[]): void =>
    log?.warn({ upstream: service, problems }, 'the new TLS files cannot be used: the previous ones stay in effect')
  const onStale = throttleReport<string>((connections, name) => {
    log?.warn(
      { upstream: service, name, connections },
      'no name server answers: the addresses that it gave last are used',
    )
  }, STALE_EVERY_MS)
  return {
    tls: files && watchTlsFiles(files, onRefused),
    proxy: proxyFor(baseUrl, proxy),
    lookup: lookUp({ onStale }),
  }
}

const STALE_EVERY_MS = 60_000

/**
 * What every call of v1 says of itself. Answers are not to be compressed: for 25 invoices reading gzip takes the gateway more
 * than twice the processor time, and saves some 10 KB, which takes less time on any network of a data centre
 * (`npm run bench -- compressed-answers`). What comes compressed all the same is read.
 */
export const HEADERS_TO_V1 = {
  'user-agent': `legacy-gateway/${VERSION}`,
  accept: 'application/json',
  'accept-encoding': 'identity',
}
