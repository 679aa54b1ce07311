import { Readable } from 'node:stream'
import { type Span, SpanKind, SpanStatusCode, type Tracer } from '@opentelemetry/api'
import { methodAttributes, spanName } from './http-method.ts'
import type { TemplateOf } from './path-templates.ts'
import { isTraceParent } from './trace-context.ts'
import { writeTraceParent } from './trace-parent.ts'

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
