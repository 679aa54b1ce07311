import { Counter, Gauge, type Registry } from 'prom-client'

/** Examples of differences, read on each scrape. */
export interface ExampleRow {
  /** The memory that they take; bytes. */
  readonly bytes: number
  /** Values that were cut, and examples that were not kept, since the start. */
  readonly cut: number
  readonly dropped: number
}

export function registerExampleMetrics(registry: Registry, examples: () => ExampleRow): void {
  const registers = [registry]
  new Gauge({
    ...{ name: 'legacy_gateway_examples_bytes', help: 'Memory that examples of differences take.', registers },
    collect() {
      this.set(examples().bytes)
    },
  })
  const counter = (name: string, help: string, read: () => number): void => {
    new Counter({
      ...{ name, help, registers },
      collect() {
        this.reset()
        this.inc(read())
      },
    })
  }
  counter(
    'legacy_gateway_examples_cut_total',
    'Values of examples that were cut, because they are long.',
    () => examples().cut,
  )
  counter(
    'legacy_gateway_examples_dropped_total',
    'Examples that were not kept, or gave way to later ones, for want of room.',
    () => examples().dropped,
  )
}
