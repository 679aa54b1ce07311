import type { Logger } from 'pino'
import { throttleReport } from '../observe/throttle-report.ts'
import type { Connecting } from '../upstream/connector.ts'
import { lookUp } from '../upstream/look-up.ts'
import { proxyFor } from '../upstream/proxy.ts'
import { watchTlsFiles } from '../upstream/tls-files.ts'
import type { ConnectingSettings } from './config.ts'
import { VERSION } from './version.ts'

/** Returns how to connect to a service. @throws TlsFilesError if its files can no longer be used. */
export function connectingTo(
  service: 'v1' | 'legacy',
  baseUrl: URL,
  { [service]: files, proxy }: ConnectingSettings,
  log?: Logger,
): Connecting {
  const onRefused = (problems: readonly string[]): void =>
    log?.warn({ upstream: service, problems }, 'the new TLS files cannot be used: the previous ones stay in effect')
  const onStale = throttleReport<string>((connections, name) => {
    log?.warn({ upstream: service, name, connections }, 'no name server answers: the last known addresses are used')
  }, STALE_EVERY_MS)
  return {
    tls: files && watchTlsFiles(files, onRefused),
    proxy: proxyFor(baseUrl, proxy),
    lookup: lookUp({ onStale }),
  }
}

const STALE_EVERY_MS = 60_000

/**
 * The headers of every call to v1. Answers should come uncompressed: for 25 invoices, reading gzip takes the gateway
 * more than twice the processor time and saves some 10 KB, which any data-centre network transfers in less time (`npm
 * run bench -- compressed-answers`). Compressed answers are read all the same.
 */
export const HEADERS_TO_V1 = {
  'user-agent': `legacy-gateway/${VERSION}`,
  accept: 'application/json',
  'accept-encoding': 'identity',
}
