import type { Logger } from 'pino'
import type { LegacyService } from '../data-plane/gateway/gateway.ts'
import type { Connecting } from '../data-plane/upstream/connector.ts'
import { openForwarder } from '../data-plane/upstream/forward.ts'
import { type LaneLimits, type LaneState, openGuard } from '../data-plane/upstream/guard.ts'
import { lookUp } from '../data-plane/upstream/look-up.ts'
import { proxyFor } from '../data-plane/upstream/proxy.ts'
import { anyAnswer, isOwnAnswer, type ServiceProbe, serviceProbe } from '../data-plane/upstream/service-probe.ts'
import { watchTlsFiles } from '../data-plane/upstream/tls-files.ts'
import { openUpstream } from '../data-plane/upstream/upstream.ts'
import { throttleReport } from '../observe/throttle-report.ts'
import type { Config, ConnectingSettings } from './config.ts'
import { VERSION } from './version.ts'

/** Returns how to connect to a service. @throws TlsFilesError if its files can no longer be used. */
export function connectingTo(
  service: 'v1' | 'legacy' | 'copy',
  baseUrl: URL,
  { [service]: files, proxy, leftAlone }: ConnectingSettings,
  log?: Logger,
): Connecting {
  const onRefused = (problems: readonly string[]): void =>
    log?.warn({ upstream: service, problems }, 'the new TLS files cannot be used: the previous ones stay in effect')
  const onStale = throttleReport<string>((connections, name) => {
    log?.warn({ upstream: service, name, connections }, 'no name server answers: the last known addresses are used')
  }, STALE_EVERY_MS)
  const tls = files && watchTlsFiles(files, onRefused)
  return {
    tls: tls && (() => tls().context),
    proxy: proxyFor(baseUrl, proxy),
    lookup: lookUp({ onStale }),
    leftAlone: service === 'copy' ? undefined : leftAlone?.[service],
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

type LegacySettings = Pick<Config, 'upstreamTimeoutMs' | 'connecting'> & { readonly lanes?: LaneLimits }

/** The legacy service, if it still runs. */
interface BuiltLegacy {
  /** For calls. Asks nothing while the service counts as down. */
  readonly guarded: LegacyService
  /**
   * For requests besides the calls. They have their own limits, and their failures do not count against the service.
   */
  readonly plain: LegacyService
  readonly probe: ServiceProbe
  readonly lanes: () => readonly LaneState[]
  close(): Promise<void>
}

/**
 * Opens the legacy service. Logins have a shorter time-out than other calls, and a lane of their own, so that a service
 * that is slow only with logins does not count as down.
 */
export function buildLegacy(settings: LegacySettings, baseUrl: URL, log?: Logger): BuiltLegacy {
  const connecting = connectingTo('legacy', baseUrl, settings.connecting, log)
  const { connections } = settings.connecting
  const options = { baseUrl, connecting, timeoutMs: settings.upstreamTimeoutMs, connections }
  const [upstream, forwarder] = [openUpstream(options), openForwarder(options)]
  const ask = anyAnswer(upstream)
  const guard = openGuard(['reads', 'others', 'logins'], {
    ...settings.lanes,
    probe: ask,
    onBreaker: (lane, isOpen) =>
      log?.warn(
        { upstream: 'legacy', lane, isOpen },
        isOpen ? 'the legacy service counts as down' : 'the legacy service is back',
      ),
  })
  return {
    guarded: {
      baseUrl,
      call: guard.around(() => 'logins', upstream.call),
      // A slot stands for a connection, which a client that reads slowly keeps busy.
      forward: guard.around(
        ({ isRead }) => (isRead ? 'reads' : 'others'),
        forwarder.forward,
        ({ body }, leave) => (body.closed ? leave() : body.once('close', leave)),
      ),
    },
    plain: { baseUrl, call: upstream.call, forward: forwarder.forward },
    probe: serviceProbe(async () => {
      const answer = await ask()
      return isOwnAnswer(answer) || `a proxy in front of it answers ${answer?.status}`
    }),
    lanes: guard.lanes,
    async close() {
      guard.close()
      await Promise.all([upstream.close(), forwarder.close()])
    },
  }
}
