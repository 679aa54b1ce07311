import type { Attributes } from '@opentelemetry/api'
import type { ReadableSpan } from '@opentelemetry/sdk-trace'

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
export function allowedOnly(span: ReadableSpan): ReadableSpan {
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
