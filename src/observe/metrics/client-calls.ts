import { setImmediate } from 'node:timers/promises'
import type { Metric, Registry } from 'prom-client'
import type { TotalCounts } from '../traffic.ts'

const NAME = 'legacy_gateway_client_calls_total'

/**
 * Legacy calls by client and operation, as traffic counts them: thousands of series. The library's own counter would sort and
 * hash the labels of each; and they become text in a turn of the event loop of their own.
 */
export function registerClientCalls(registry: Registry, totals: () => readonly TotalCounts[]): void {
  const get = async () => {
    await setImmediate()
    return {
      ...{ name: NAME, help: 'Legacy calls by client, of the first 1,000.', type: 'counter', aggregator: 'sum' },
      values: totals().map(({ client, operation, calls }) => ({ labels: { client, operation }, value: calls })),
    }
  }
  registry.registerMetric({ name: NAME, get } as unknown as Metric)
}
