import { Gauge, type Registry } from 'prom-client'
import { registerReadCounter } from './read-counter.ts'

/** Examples of differences, read on each scrape. */
export interface ExampleRow {
  /** The memory that they take; bytes. */
  readonly bytes: number
  /** Values that were cut, and examples that were not kept, since the start. */
  readonly cut: number
  readonly dropped: number
}

export function registerExampleMetrics(registry: Registry, examples: () => ExampleRow): void {
  new Gauge({
    ...{
      name: 'legacy_gateway_examples_bytes',
      help: 'Memory that examples of differences take.',
      registers: [registry],
    },
    collect() {
      this.set(examples().bytes)
    },
  })
  registerReadCounter(
    registry,
    'legacy_gateway_examples_cut_total',
    'Values of examples that were cut because they were too long.',
    () => examples().cut,
  )
  registerReadCounter(
    registry,
    'legacy_gateway_examples_dropped_total',
    'Examples that were not kept, or gave way to later ones, for lack of room.',
    () => examples().dropped,
  )
}
