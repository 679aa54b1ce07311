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
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Logger } from 'pino'
import type { TraceSampler } from '../../app/variables.ts'
import { within } from '../../common/promises.ts'
import { carefulExporter } from './span-exporter.ts'
import {
  type Answered,
  type Ask,
  type Asked,
  completeSpans,
  type ServerSpans,
  serverSpans,
  type TracedService,
  tracedAsk,
  traceParent,
} from './spans.ts'

/** Which traces are recorded, in the terms of OpenTelemetry's environment variables. */
interface Sampling {
  readonly sampler: TraceSampler
  /** The share of traces that the `traceidratio` samplers record, 0 to 1. */
  readonly ratio: number
}

interface TracingOptions extends Sampling {
  /** The collector's address; spans go to `v1/traces` beneath it, as JSON. */
  readonly endpoint: URL
  /** The gateway's version. */
  readonly version: string
  /** Returns the legacy path of an operation. */
  readonly pathOf: (operation: string) => string | undefined
  readonly log: Logger
}

/** Traces of calls: a span per call, and beneath it one per request to a service. */
export interface Tracing extends ServerSpans {
  /** Wraps requests to a service in spans. */
  traced<Request extends Asked, Answer extends Answered>(
    service: TracedService,
    ask: Ask<Request, Answer>,
  ): Ask<Request, Answer>
  /** Sends the remaining spans, within `graceMs`. */
  close(graceMs: number): Promise<void>
}

/** The interval at which spans are sent. */
const DELAY_MS = 1_000
/** The time to send the remaining spans at the end. A healthy collector needs less. */
const FLUSH_MS = 2_000

/** Opens tracing. A failing collector neither delays nor fails a call. */
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
      const isShut = (): true => true
      // A failure has been logged.
      const shut = await within(Math.min(graceMs, FLUSH_MS), provider.shutdown().then(isShut, isShut))
      if (shut === undefined) exporter.lost('it did not answer in time')
    },
  }
}

/** Describes the gateway. `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` override it. */
function resourceOf(version: string): Resource {
  const byDefault = resourceFromAttributes({ 'service.name': 'legacy-gateway', 'service.version': version })
  const fromEnvironment = detectResources({ detectors: [resourceAttributesEnvDetector, serviceNameEnvDetector] })
  return defaultResource().merge(byDefault).merge(fromEnvironment)
}

/** Makes the sampler. A parent-based one follows the caller's `traceparent` and decides only if there is none. */
function samplerOf({ sampler, ratio }: Sampling): Sampler {
  const roots = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(ratio),
  }
  const root = roots[sampler.replace('parentbased_', '') as keyof typeof roots]()
  return sampler.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root
}
