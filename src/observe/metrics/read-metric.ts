import { Counter, Gauge, type Registry } from 'prom-client'

/** A value of a metric, with its labels. */
export type Series = readonly [labels: Readonly<Record<string, string | number>>, value: number]

/** What is read on a scrape: one value, a value for each combination of labels, or undefined: there is none now. */
type Read = number | undefined | Iterable<Series>

/**
 * Registers metrics whose values others count, and which are read anew on each scrape.
 * @param labelNames in the order of the output.
 */
export function readMetrics(registry: Registry) {
  const register =
    (Metric: typeof Counter | typeof Gauge) =>
    (name: string, help: string, labelNames: readonly string[], read: () => Read | Promise<Read>): void => {
      const metric: Counter | Gauge = new Metric({
        ...{ name, help, labelNames: [...labelNames], registers: [registry] },
        async collect() {
          const values = await read()
          metric.reset()
          if (typeof values === 'number') metric.inc(values)
          else for (const [labels, value] of values ?? []) metric.inc(labels, value)
        },
      })
    }
  return { counter: register(Counter), gauge: register(Gauge) }
}
