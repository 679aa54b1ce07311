import { isSpanContextValid, type SpanContext, type TextMapPropagator, TraceFlags, trace } from '@opentelemetry/api'
import { TRACEPARENT } from './trace-context.ts'

/** Reads the sender's span from a header; undefined: the header is missing or malformed. */
export function readTraceParent(header: unknown): SpanContext | undefined {
  const [, traceId, spanId, flags] = (typeof header === 'string' && TRACEPARENT.exec(header)) || []
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined
  const parent = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED, isRemote: true }
  return isSpanContextValid(parent) ? parent : undefined
}

/** Writes the header for a request that is sent within a span. */
export function writeTraceParent({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`
}

/**
 * Reads and writes only `traceparent`: `tracestate` and baggage hold arbitrary data, which must not enter spans. The caller's
 * `tracestate` is passed on to the services separately (`client-spans.ts`).
 */
export const traceParent: TextMapPropagator = {
  extract(context, carrier, getter) {
    const parent = readTraceParent(getter.get(carrier, 'traceparent'))
    return parent === undefined ? context : trace.setSpanContext(context, parent)
  },
  inject(context, carrier, setter) {
    const span = trace.getSpanContext(context)
    if (span !== undefined) setter.set(carrier, 'traceparent', writeTraceParent(span))
  },
  fields: () => ['traceparent'],
}
