import type { Logger } from 'pino'
import type { Gateway } from '../data-plane/gateway/gateway.ts'
import type { CompiledOperation } from '../engine/compile/compile-operations.ts'
import type { Side } from '../exchange/exchange.ts'
import type { Operation } from '../mapping/operation.ts'
import type { Tracing } from '../observe/tracing/open-tracing.ts'
import type { Config } from './config.ts'
import type { Services } from './data-plane.ts'
import { VERSION } from './version.ts'

/**
 * Returns which sides may answer an operation. Without an equivalent in v1, only legacy may, even if there is no legacy
 * service.
 */
export function sidesOf({ v1 }: Operation, { legacy }: Services): readonly Side[] {
  if (v1 === undefined) return ['legacy']
  return legacy === undefined ? ['v1'] : ['v1', 'legacy']
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
