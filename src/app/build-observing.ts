import type { Logger } from 'pino'
import type { CompiledOperation } from '../engine/compile/compile-operations.ts'
import type { Side } from '../exchange/exchange.ts'
import type { Gateway } from '../gateway/gateway.ts'
import type { Operation } from '../mapping/operation.ts'
import { type MetricSources, type Metrics, openMetrics } from '../observe/metrics/metrics.ts'
import { callLogger, type Observe, observeLater } from '../observe/observe-call.ts'
import { type SteadyTime, steadyTime } from '../observe/steady-time.ts'
import type { Tracing } from '../observe/tracing/open-tracing.ts'
import { countTraffic, type Traffic } from '../observe/traffic.ts'
import type { Services } from './build-gateway.ts'
import type { Config } from './config.ts'
import { VERSION } from './version.ts'

/** What the gateway shows of its calls: log, metrics, recent traffic. */
interface Observing {
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

export type TracingSettings = Pick<Config, 'tracing'>

/** What tracing adds to a gateway. */
interface BuiltTracing extends Pick<Tracing, 'middleware' | 'observe' | 'close'> {
  /** Returns the gateway with a span around each request to a service. */
  around(gateway: Gateway): Gateway
}

/** Builds tracing, if it is configured. Otherwise OpenTelemetry is not even loaded. */
export async function buildTracing(
  { tracing: settings }: TracingSettings,
  services: { readonly v1: URL; readonly legacy: URL | undefined },
  operations: readonly CompiledOperation[],
  log: Logger,
): Promise<BuiltTracing | undefined> {
  if (settings === undefined) return undefined
  const [{ openTracing }, { pathTemplates }] = await Promise.all([
    import('../observe/tracing/open-tracing.ts'),
    import('../observe/tracing/spans.ts'),
  ])
  const mappings = operations.map(({ mapping }) => mapping)
  const paths = new Map(mappings.map(({ id, legacy }) => [id, legacy.path]))
  const { middleware, observe, traced, close } = openTracing({
    ...settings,
    ...{ version: VERSION, pathOf: (operation) => paths.get(operation), log },
  })
  const v1Paths = mappings.flatMap(({ v1 }) => (v1 === undefined ? [] : [v1.path]))
  const v1 = { name: 'v1', url: services.v1, templateOf: pathTemplates(v1Paths) }
  return {
    middleware,
    observe,
    close,
    around(gateway) {
      const legacy = services.legacy && {
        ...{ name: 'legacy', url: services.legacy, templateOf: pathTemplates([...paths.values()]) },
      }
      return {
        ...gateway,
        v1: { ...gateway.v1, call: traced(v1, gateway.v1.call) },
        legacy: gateway.legacy &&
          legacy && {
            baseUrl: gateway.legacy.baseUrl,
            call: traced(legacy, gateway.legacy.call),
            forward: traced(legacy, gateway.legacy.forward),
          },
      }
    },
  }
}
