import type { Logger } from 'pino'
import type { ConnectingSettings } from './config.ts'
import type { Connecting } from './upstream/connector.ts'
import { proxyFor } from './upstream/proxy.ts'
import { watchTlsFiles } from './upstream/tls-files.ts'

/** How a service is connected to at its address. @throws TlsFilesError when its files cannot be used any more. */
export function connectingTo(
  service: 'v1' | 'legacy',
  baseUrl: URL,
  { [service]: files, proxy }: ConnectingSettings,
  log?: Logger,
): Connecting {
  const onRefused = (problems: readonly string[]): void =>
    log?.warn({ upstream: service, problems }, 'the new TLS files cannot be used: those before go on to hold')
  return { tls: files && watchTlsFiles(files, onRefused), proxy: proxyFor(baseUrl, proxy) }
}
