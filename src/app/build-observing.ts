import type { Logger } from 'pino'
import type { Side } from '../exchange/exchange.ts'
import type { Operation } from '../mapping/operation.ts'
import { type MetricSources, type Metrics, openMetrics } from '../observe/metrics/metrics.ts'
import { callLogger, type Observe } from '../observe/observe-call.ts'
import { observeLater } from '../observe/observe-later.ts'
import { type SteadyTime, steadyTime } from '../observe/steady-time.ts'
import { countTraffic, type Traffic } from '../observe/traffic.ts'
import type { Services } from './build-gateway.ts'

/** What the gateway shows of its calls: log, metrics, recent traffic. */
export interface Observing {
  /** Passes an answered call on to all three, in batches. */
  readonly observe: Observe
  readonly traffic: Traffic
  readonly metrics: Metrics
}

/** Builds log, metrics and traffic. @param others get each answered call too, before the traffic does. */
export function buildObserving(
  mappings: readonly Operation[],
  services: Services,
  sources: Omit<MetricSources, 'operations' | 'totals'>,
  log: Logger,
  others: readonly Observe[] = [],
): Observing {
  const time = steadyTime()
  const traffic = countTraffic({ operations: mappings.map(({ id }) => id), ...time })
  const metrics = openMetrics({
    ...sources,
    operations: mappings.map((mapping) => ({ operation: mapping.id, sides: sidesOf(mapping, services) })),
    totals: traffic.totals,
  })
  const logCall = callLogger(log)
  const counters = [metrics.count, ...others, countIn(traffic, time)]
  const observe = observeLater((call) => {
    logCall(call)
    if (call.isGuide === true) return
    for (const each of counters) each(call)
  })
  return { observe, traffic, metrics }
}

/**
 * Returns which sides may answer an operation. Without an equivalent in v1, only legacy may, even if there is no legacy
 * service.
 */
function sidesOf({ v1 }: Operation, { legacy }: Services): readonly Side[] {
  if (v1 === undefined) return ['legacy']
  return legacy === undefined ? ['v1'] : ['v1', 'legacy']
}

const countIn =
  (traffic: Traffic, { now }: SteadyTime): Observe =>
  ({ operation, client, status, milliseconds, answeredBy: side, brownout, method, path }) => {
    const answeredBy = brownout === undefined ? side : undefined
    traffic.count({ at: now(), operation, client, status, milliseconds, answeredBy, method, path })
  }
