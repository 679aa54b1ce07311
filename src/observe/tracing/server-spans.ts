import { httpInstrumentationMiddleware } from '@hono/otel'
import { type Span, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api'
import type { SpanProcessor } from '@opentelemetry/sdk-trace'
import type { MiddlewareHandler } from 'hono'
import type { CallRecord, Observe } from '../observe-call.ts'
import { methodAttributes, spanName } from './http-method.ts'

export interface ServerSpans {
  /** Runs each call in a span whose parent is the caller's span. */
  readonly middleware: MiddlewareHandler
  /** Adds operation and status to the active span. The middleware does not see the operation, nor the status of a streamed answer. */
  readonly observe: Observe
}

/** Stands in for an answer's headers in the middleware. */
const NO_HEADERS = new Headers()

const records = new WeakMap<object, CallRecord>()

export function serverSpans(tracer: Tracer): ServerSpans {
  const spans = httpInstrumentationMiddleware({
    tracer,
    captureActiveRequests: false,
    spanNameFactory: ({ req }) => spanName(req.method, undefined),
  })
  return {
    middleware: async (c, next) => {
      let answer: Response | undefined
      await spans(c, async () => {
        await next()
        // Reading the headers would change them: several cookies would become one.
        answer = c.res
        c.res = undefined
        c.res = { status: answer.status, headers: NO_HEADERS } as Response
      })
      c.res = undefined
      c.res = answer
    },
    observe(record) {
      const span = trace.getActiveSpan()
      if (span !== undefined) records.set(span, record)
    },
  }
}

/**
 * Completes the spans of calls when they end.
 * @param pathOf returns the legacy path of an operation.
 */
export function completeSpans(pathOf: (operation: string) => string | undefined): SpanProcessor {
  return {
    onStart: () => undefined,
    onEnding: (span) => {
      const record = records.get(span)
      if (record !== undefined) complete(span, record, pathOf(record.operation ?? ''))
    },
    onEnd: () => undefined,
    forceFlush: async () => undefined,
    shutdown: async () => undefined,
  }
}

/** Sets attributes by OpenTelemetry's HTTP conventions. Unknown traffic has no route, and its path may hold anything. */
function complete(span: Span, call: CallRecord, route: string | undefined): void {
  const { method, operation, status, failure } = call
  span.updateName(spanName(method, route))
  span.setAttributes({
    ...methodAttributes(method),
    'url.scheme': 'http',
    'http.response.status_code': status,
    ...(route !== undefined && { 'http.route': route, 'url.path': call.path }),
    ...(operation !== undefined && { 'legacy_gateway.operation': operation }),
  })
  if (status >= 500) {
    span.setAttribute('error.type', failure ?? String(status))
    span.setStatus({ code: SpanStatusCode.ERROR })
  }
}
