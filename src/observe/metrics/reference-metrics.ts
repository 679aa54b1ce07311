import { Counter, Gauge, type Registry } from 'prom-client'

/** The counts of the reference lists of an operation. */
export interface ListRow {
  readonly operation: string
  readonly hits: number
  readonly staleAnswers: number
  readonly sweeps: Readonly<Record<'changed' | 'unchanged' | 'failed', number>>
  readonly countsDisagree: number
  readonly refreshFailures: number
  readonly bytes: number
}

const RESULTS = ['changed', 'unchanged', 'failed'] as const

/** Registers the metrics of reference lists, which are read from the counts on each scrape. */
export function registerReferenceMetrics(registry: Registry, rows: () => readonly ListRow[]): void {
  const registers = [registry]
  const counter = (name: string, help: string, of: (row: ListRow) => number): void => {
    new Counter({
      ...{ name, help, registers, labelNames: ['operation'] },
      collect() {
        this.reset()
        for (const row of rows()) this.inc({ operation: row.operation }, of(row))
      },
    })
  }
  counter('legacy_gateway_reference_hits_total', 'Answers from a cached list.', ({ hits }) => hits)
  counter(
    'legacy_gateway_reference_stale_answers_total',
    'Answers from an expired list, because v1 failed.',
    ({ staleAnswers }) => staleAnswers,
  )
  counter(
    'legacy_gateway_reference_refresh_failures_total',
    'Failed attempts to refresh a list before it expires.',
    ({ refreshFailures }) => refreshFailures,
  )
  counter(
    'legacy_gateway_reference_list_counts_disagree_total',
    'Lists read from v1 whose number of rows differs from the count v1 gave.',
    ({ countsDisagree }) => countsDisagree,
  )
  new Counter({
    ...{
      name: 'legacy_gateway_reference_sweeps_total',
      help: 'Attempts to read a whole list from v1, by result.',
      registers,
    },
    labelNames: ['operation', 'result'],
    collect() {
      this.reset()
      for (const { operation, sweeps } of rows()) {
        for (const result of RESULTS) this.inc({ operation, result }, sweeps[result])
      }
    },
  })
  new Gauge({
    ...{ name: 'legacy_gateway_reference_bytes', help: 'Memory that the cached lists take.', registers },
    labelNames: ['operation'],
    collect() {
      for (const { operation, bytes } of rows()) this.set({ operation }, bytes)
    },
  })
}
