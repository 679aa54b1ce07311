import type { Metric, MetricValueWithName, Registry } from 'prom-client'

/** Upper bounds in seconds: from an answer with a cached list to a timed-out upstream. */
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** A histogram of durations. Counting allocates nothing. */
export class Durations {
  readonly #buckets = new Float64Array(BOUNDS.length + 1)
  #seconds = 0

  add(milliseconds: number): void {
    const seconds = milliseconds / 1_000
    this.#seconds += seconds
    let bucket = 0
    while (bucket < BOUNDS.length && seconds > (BOUNDS[bucket] as number)) bucket++
    this.#buckets[bucket] = (this.#buckets[bucket] as number) + 1
  }

  /** Returns the values in the form of a Prometheus histogram: cumulative buckets, then the sum and the count. */
  values(name: string, labels: Labels): readonly MetricValueWithName<string>[] {
    let count = 0
    const buckets = [...BOUNDS, '+Inf'].map((le, index) => {
      count += this.#buckets[index] as number
      return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: count }
    })
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: this.#seconds },
      { metricName: `${name}_count`, labels, value: count },
    ]
  }

  get isEmpty(): boolean {
    return this.#buckets.every((count) => count === 0)
  }
}

type Labels = Readonly<Record<string, string>>

/** Registers a histogram whose durations are read on each scrape. */
export function registerDurations(
  registry: Registry,
  name: string,
  help: string,
  rows: () => readonly { readonly labels: Labels; readonly durations: Durations }[],
): void {
  const get = async () => ({
    ...{ name, help, type: 'histogram', aggregator: 'sum' },
    values: rows().flatMap(({ labels, durations }) => (durations.isEmpty ? [] : durations.values(name, labels))),
  })
  // A registry needs no more of a metric. The library's histograms make a string of the labels for every observation.
  registry.registerMetric({ name, get } as unknown as Metric)
}
