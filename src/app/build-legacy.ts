import type { Logger } from 'pino'
import type { LegacyService } from '../gateway/gateway.ts'
import { anyAnswer, isOwnAnswer } from '../upstream/any-answer.ts'
import { openForwarder } from '../upstream/forward.ts'
import { type LaneLimits, type LaneState, openGuard } from '../upstream/guard.ts'
import { type ServiceProbe, serviceProbe } from '../upstream/service-probe.ts'
import { openUpstream } from '../upstream/upstream.ts'
import type { Config } from './config.ts'
import { connectingTo } from './connecting.ts'

export type LegacySettings = Pick<Config, 'upstreamTimeoutMs' | 'connecting'> & { readonly lanes?: LaneLimits }

/** The legacy service, while it still runs. */
export interface BuiltLegacy {
  /** As calls ask it: not while it counts as down. */
  readonly guarded: LegacyService
  /** As it is asked beside them: that has bounds of its own, and what fails there says nothing of the calls. */
  readonly plain: LegacyService
  readonly probe: ServiceProbe
  readonly lanes: () => readonly LaneState[]
  close(): Promise<void>
}

/**
 * Opens the legacy service. Logins, which give it less time than others, have a lane of their own, so that one that is slow
 * with them does not count as down.
 */
export function buildLegacy(settings: LegacySettings, baseUrl: URL, log: Logger): BuiltLegacy {
  const connecting = connectingTo('legacy', baseUrl, settings.connecting, log)
  const { connections } = settings.connecting
  const options = { baseUrl, connecting, timeoutMs: settings.upstreamTimeoutMs, connections }
  const [upstream, forwarder] = [openUpstream(options), openForwarder(options)]
  const ask = anyAnswer(upstream)
  const guard = openGuard(['reads', 'others', 'logins'], {
    ...settings.lanes,
    probe: ask,
    onBreaker: (lane, isOpen) =>
      log.warn(
        { upstream: 'legacy', lane, isOpen },
        isOpen ? 'the legacy service counts as down' : 'the legacy service is back',
      ),
  })
  return {
    guarded: {
      call: guard.around(() => 'logins', upstream.call),
      forward: guard.around(({ isRead }) => (isRead ? 'reads' : 'others'), forwarder.forward),
    },
    plain: { call: upstream.call, forward: forwarder.forward },
    probe: serviceProbe(async () => isOwnAnswer(await ask())),
    lanes: guard.lanes,
    async close() {
      guard.close()
      await Promise.all([upstream.close(), forwarder.close()])
    },
  }
}
