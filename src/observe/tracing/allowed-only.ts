import type { Attributes } from '@opentelemetry/api'
import type { ReadableSpan } from '@opentelemetry/sdk-trace'

/**
 * All that a span may say: nothing here is a client's but its method, of which HTTP parsers know a few dozen, nor can it hold
 * a token or a personal value. So there is no `url.full` or `url.query`, and a `url.path` only of known operations.
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
  // Of exceptions: neither message nor stack.
  'exception.type',
])

/** A span without whatever it might have been told beside what is allowed: addresses with their query, messages, stacks. */
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
      // The middleware's own route takes every path, and is none.
      ([name, value]) => ALLOWED.has(name) && !(name === 'http.route' && String(value).endsWith('*')),
    ),
  )
