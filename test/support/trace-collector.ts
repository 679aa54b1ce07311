import { startHttpServer } from './http-server.ts'
import { until } from './start-gateway.ts'

/** A span as a collector gets it: OTLP over HTTP, as JSON. */
export interface ExportedSpan {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  /** Undefined for a root span. */
  readonly parentSpanId: string | undefined
  readonly kind: 'server' | 'client' | undefined
  readonly attributes: Readonly<Record<string, string | number>>
  readonly isError: boolean
}

export interface TraceCollector {
  readonly url: string
  /** Waits until this many spans have arrived. */
  spans(atLeast: number): Promise<readonly ExportedSpan[]>
  /** Everything that was sent, byte for byte. */
  text(): string
  /** The paths of the requests. */
  targets(): readonly string[]
}

interface Otlp {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly {
      readonly spans: readonly {
        readonly name: string
        readonly traceId: string
        readonly spanId: string
        readonly parentSpanId?: string
        readonly kind: number
        readonly attributes: readonly {
          readonly key: string
          readonly value: Readonly<Record<string, string | number>>
        }[]
        readonly status: { readonly code?: number }
      }[]
    }[]
  }[]
}

/** Indexed by the numbers of OTLP. */
const KINDS: Readonly<Record<number, 'server' | 'client'>> = { 2: 'server', 3: 'client' }

/** A collector on loopback, until the file's tests have run. */
export async function startCollector(): Promise<TraceCollector> {
  const { url, received } = await startHttpServer((_, response) => response.end('{}'))
  const spans = (): readonly ExportedSpan[] =>
    received
      .flatMap(({ body }) => (JSON.parse(body) as Otlp).resourceSpans)
      .flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans))
      .map(({ name, traceId, spanId, parentSpanId, kind, attributes, status }) => ({
        ...{ name, traceId, spanId, parentSpanId, kind: KINDS[kind], isError: status.code === 2 },
        attributes: Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0] ?? ''])),
      }))
  return {
    url,
    async spans(atLeast) {
      await until(() => spans().length >= atLeast)
      return spans()
    },
    text: () => received.map(({ body }) => body).join('\n'),
    targets: () => received.map(({ target }) => target),
  }
}
