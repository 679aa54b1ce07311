import { context, propagation } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import {
  defaultResource,
  detectResources,
  type Resource,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
} from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import type { Logger } from 'pino'
import { carefulExporter } from './careful-exporter.ts'
import { type Answered, type Ask, type Asked, type TracedService, tracedAsk } from './client-spans.ts'
import { type Sampling, samplerOf } from './sampler.ts'
import { completeSpans, type ServerSpans, serverSpans } from './server-spans.ts'
import { traceParent } from './trace-parent.ts'

export interface TracingOptions extends Sampling {
  /** Of the collector; spans go to `v1/traces` beneath it, as JSON. */
  readonly endpoint: URL
  /** Of the gateway. */
  readonly version: string
  /** The legacy path of an operation. */
  readonly pathOf: (operation: string) => string | undefined
  readonly log: Logger
}

/** Traces of calls: one span for each, and beneath it one for each time that a service is asked. */
export interface Tracing extends ServerSpans {
  /** Asks a service within a span. */
  traced<Request extends Asked, Answer extends Answered>(
    service: TracedService,
    ask: Ask<Request, Answer>,
  ): Ask<Request, Answer>
  /** Sends what is left, for `graceMs` at most. */
  close(graceMs: number): Promise<void>
}

/** Spans are sent together, a second late at most. */
const DELAY_MS = 1_000
/** A collector that is well takes what is left in less. */
const FLUSH_MS = 2_000

/** Opens traces. Whatever becomes of the collector, no call is told, and none waits. */
export function openTracing({ endpoint, version, pathOf, log, ...sampling }: TracingOptions): Tracing {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager())
  propagation.setGlobalPropagator(traceParent)
  const url = `${endpoint.href.replace(/\/+$/, '')}/v1/traces`
  const exporter = carefulExporter(new OTLPTraceExporter({ url }), log)
  const provider = new TracerProvider({
    resource: resourceOf(version),
    sampler: samplerOf(sampling),
    spanProcessors: [completeSpans(pathOf), new BatchSpanProcessor({ exporter, scheduledDelayMillis: DELAY_MS })],
  })
  const tracer = provider.getTracer('legacy-gateway', version)
  return {
    ...serverSpans(tracer),
    traced: (service, ask) => tracedAsk(tracer, service, ask),
    async close(graceMs) {
      let impatience: NodeJS.Timeout | undefined
      const tooLate = new Promise<void>((resolve) => {
        impatience = setTimeout(
          () => {
            exporter.lost('it did not answer in time')
            resolve()
          },
          Math.min(graceMs, FLUSH_MS),
        )
      })
      // That it failed has been logged.
      await Promise.race([provider.shutdown().catch(() => undefined), tooLate])
      clearTimeout(impatience)
    },
  }
}

/** `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` have the last word. */
function resourceOf(version: string): Resource {
  const own = resourceFromAttributes({ 'service.name': 'legacy-gateway', 'service.version': version })
  const given = detectResources({ detectors: [resourceAttributesEnvDetector, serviceNameEnvDetector] })
  return defaultResource().merge(own).merge(given)
}
