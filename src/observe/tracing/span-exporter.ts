import type { Attributes } from '@opentelemetry/api'
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace'
import type { Logger } from 'pino'

interface CarefulExporter extends SpanExporter {
  /** Logs that spans are lost, unless that has been logged. */
  lost(reason: string | undefined): void
}

/** Wraps an exporter: sends allowed attributes only, and logs once, not per batch, that the collector takes no spans. */
export function carefulExporter(exporter: SpanExporter, log: Logger): CarefulExporter {
  let isLosing = false
  const lost = (reason: string | undefined): void => {
    if (!isLosing) log.warn({ reason }, 'spans are lost: the collector does not take them')
    isLosing = true
  }
  return {
    lost,
    export(spans, onResult) {
      exporter.export(spans.map(allowedOnly), (result) => {
        if (result.code !== 0) lost(reasonOf(result.error))
        else if (isLosing) {
          isLosing = false
          log.info('the collector takes spans again')
        }
        onResult(result)
      })
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  }
}

/** Joins code and message: a connection refused on several addresses has a code but no message. */
function reasonOf(error: Error | undefined): string | undefined {
  const code = error !== undefined && 'code' in error ? String(error.code) : ''
  return [code, error?.message ?? ''].filter((part) => part !== '').join(' ') || undefined
}

/**
 * The attributes that a span may have. None can hold a token or a personal value. A client chooses only the method, and HTTP
 * parsers accept only a few dozen of those. So `url.full` and `url.query` are missing, and only known operations have a
 * `url.path`.
 */
const ALLOWED: ReadonlySet<string> = new Set([
  'http.request.method',
  'http.request.method_original',
  'http.response.status_code',
  'http.route',
  'url.path',
  'url.scheme',
  'url.template',
  'server.address',
  'server.port',
  'error.type',
  'legacy_gateway.operation',
  'legacy_gateway.service',
  // Exceptions keep neither message nor stack.
  'exception.type',
])

/** Copies a span with allowed attributes only: without URLs with their query, messages and stacks. */
function allowedOnly(span: ReadableSpan): ReadableSpan {
  return {
    name: span.name,
    kind: span.kind,
    spanContext: () => span.spanContext(),
    ...(span.parentSpanContext !== undefined && { parentSpanContext: span.parentSpanContext }),
    startTime: span.startTime,
    endTime: span.endTime,
    duration: span.duration,
    ended: span.ended,
    status: { code: span.status.code },
    attributes: allowed(span.attributes),
    links: [],
    events: span.events.map(({ name, time, attributes = {} }) => ({ name, time, attributes: allowed(attributes) })),
    resource: span.resource,
    instrumentationScope: span.instrumentationScope,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  }
}

const allowed = (attributes: Attributes): Attributes =>
  Object.fromEntries(
    Object.entries(attributes).filter(
      // The middleware's own route matches every path, so it says nothing.
      ([name, value]) => ALLOWED.has(name) && !(name === 'http.route' && String(value).endsWith('*')),
    ),
  )
