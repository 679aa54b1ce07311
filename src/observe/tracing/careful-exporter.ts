import type { SpanExporter } from '@opentelemetry/sdk-trace'
import type { Logger } from 'pino'
import { allowedOnly } from './allowed-only.ts'

export interface CarefulExporter extends SpanExporter {
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
