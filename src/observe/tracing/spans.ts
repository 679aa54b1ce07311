import { Readable } from 'node:stream'
import { httpInstrumentationMiddleware } from '@hono/otel'
import {
  type Attributes,
  isSpanContextValid,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  type TextMapPropagator,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import type { SpanProcessor } from '@opentelemetry/sdk-trace'
import type { MiddlewareHandler } from 'hono'
import type { CallRecord, Observe } from '../observe-call.ts'
import { isTraceParent, TRACEPARENT } from './trace-context.ts'

/** The methods that OpenTelemetry's HTTP conventions know: RFC 9110 section 9, and PATCH of RFC 5789. */
const KNOWN: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'DELETE',
  'CONNECT',
  'OPTIONS',
  'TRACE',
  'PATCH',
])

/** Returns the attributes of a method. An unknown one is `_OTHER`, with the original beside it. */
function methodAttributes(method: string): Attributes {
  if (KNOWN.has(method)) return { 'http.request.method': method }
  return { 'http.request.method': '_OTHER', 'http.request.method_original': method }
}

/**
 * Names a span by OpenTelemetry's conventions.
 * @param target a route or template; undefined: none is known.
 */
function spanName(method: string, target: string | undefined): string {
  const word = KNOWN.has(method) ? method : 'HTTP'
  return target === undefined ? word : `${word} ${target}`
}

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

/** A service behind the gateway. */
export interface TracedService {
  readonly name: string
  readonly url: URL
  readonly templateOf: TemplateOf
}

export interface Asked {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string | string[]>>
}

export interface Answered {
  readonly status: number
  readonly body: unknown
}

/** Sends a request to a service. */
export type Ask<Request extends Asked, Answer extends Answered> = (request: Request) => Promise<Answer>

/**
 * Wraps `ask` in a client span beneath the active one. The service gets the span's `traceparent` in place of the caller's, and
 * the caller's `tracestate`. The span ends with the answer's last byte. Answers and errors pass unchanged.
 */
export function tracedAsk<Request extends Asked, Answer extends Answered>(
  tracer: Tracer,
  service: TracedService,
  ask: Ask<Request, Answer>,
): Ask<Request, Answer> {
  const { hostname, port, protocol } = service.url
  const address = {
    'legacy_gateway.service': service.name,
    // An IPv6 address without its brackets.
    'server.address': hostname.replace(/^\[(.*)\]$/, '$1'),
    'server.port': port === '' ? DEFAULT_PORTS[protocol] : Number(port),
  }
  return (request) => {
    const template = service.templateOf(request.path)
    const span = tracer.startSpan(spanName(request.method, template), {
      kind: SpanKind.CLIENT,
      attributes: { ...address, ...methodAttributes(request.method), 'url.template': template },
    })
    return ask({
      ...request,
      headers: { ...withTraceState(request.headers), traceparent: writeTraceParent(span.spanContext()) },
    }).then(
      (answer) => {
        answered(span, answer)
        return answer
      },
      (error: unknown) => {
        failed(span, kindOf(error))
        span.end()
        throw error
      },
    )
  }
}

/** Drops a `tracestate` whose `traceparent` could not be read: it belongs to another trace. */
function withTraceState(headers: Asked['headers']): Asked['headers'] {
  if (headers.tracestate === undefined || isTraceParent(headers.traceparent)) return headers
  const { tracestate: _, ...others } = headers
  return others
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 }

function answered(span: Span, { status, body }: Answered): void {
  span.setAttribute('http.response.status_code', status)
  if (status >= 400) failed(span, String(status))
  if (!(body instanceof Readable)) span.end()
  else {
    body.once('close', () => {
      if (body.errored !== null) failed(span, kindOf(body.errored))
      span.end()
    })
  }
}

function failed(span: Span, type: string): void {
  span.setAttribute('error.type', type)
  span.setStatus({ code: SpanStatusCode.ERROR })
}

/** Returns the kind of an error, one of few words; its message may hold anything. */
function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return '_OTHER'
  return 'kind' in error ? String(error.kind) : error.name
}

/** Reads the sender's span from a header; undefined: the header is missing or malformed. */
function readTraceParent(header: unknown): SpanContext | undefined {
  const [, traceId, spanId, flags] = (typeof header === 'string' && TRACEPARENT.exec(header)) || []
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined
  const parent = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED, isRemote: true }
  return isSpanContextValid(parent) ? parent : undefined
}

/** Writes the header for a request that is sent within a span. */
function writeTraceParent({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`
}

/**
 * Reads and writes only `traceparent`: `tracestate` and baggage hold arbitrary data, which must not enter spans. The caller's
 * `tracestate` is passed on to the services separately (`tracedAsk`).
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

/** Returns the template of a path, without its query. There is one per operation, however many paths are called. */
type TemplateOf = (path: string) => string | undefined

/**
 * Prepares templates for looking up paths.
 * @param templates paths with parameters in braces, as in docs/contract.md 4 and 6.
 */
export function pathTemplates(templates: readonly string[]): TemplateOf {
  const plain = new Set(templates.filter((template) => !template.includes('{')))
  const others = templates
    .filter((template) => template.includes('{'))
    .map((template) => ({
      template,
      pattern: new RegExp(
        `^${template
          .split(/\{\w+\}/)
          .map(escaped)
          .join('[^/]+')}$`,
      ),
    }))
  return (target) => {
    const queryAt = target.indexOf('?')
    const path = queryAt === -1 ? target : target.slice(0, queryAt)
    return plain.has(path) ? path : others.find(({ pattern }) => pattern.test(path))?.template
  }
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
