import { isSpanContextValid, type SpanContext, type TextMapPropagator, TraceFlags, trace } from '@opentelemetry/api'
import { TRACEPARENT } from './trace-context.ts'

/** What a header says of its sender's span; undefined for one that cannot be read, which is as good as none. */
export function readTraceParent(header: unknown): SpanContext | undefined {
  const [, traceId, spanId, flags] = (typeof header === 'string' && TRACEPARENT.exec(header)) || []
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined
  const parent = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED, isRemote: true }
  return isSpanContextValid(parent) ? parent : undefined
}

/** The header of a request that is made within a span. */
export function writeTraceParent({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`
}

/**
 * Reads and writes `traceparent` alone: `tracestate` and baggage hold whatever others put there, which is in no span. The
 * caller's `tracestate` reaches the services beside it (`client-spans.ts`).
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
