import { Counter, Gauge, type Registry } from 'prom-client'

/** What has been counted of the reference lists of an operation. */
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

/** The metrics of reference lists, read from what has been counted when they are asked for. */
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
  counter('legacy_gateway_reference_hits_total', 'Answers from a list that was kept.', ({ hits }) => hits)
  counter(
    'legacy_gateway_reference_stale_answers_total',
    'Answers from a list whose time was over, because v1 failed.',
    ({ staleAnswers }) => staleAnswers,
  )
  counter(
    'legacy_gateway_reference_refresh_failures_total',
    'Lists that could not be read ahead of their time.',
    ({ refreshFailures }) => refreshFailures,
  )
  counter(
    'legacy_gateway_reference_list_counts_disagree_total',
    'Lists read from v1 whose rows are not as many as its own count of them.',
    ({ countsDisagree }) => countsDisagree,
  )
  new Counter({
    ...{ name: 'legacy_gateway_reference_sweeps_total', help: 'Lists read from v1, by what came of it.', registers },
    labelNames: ['operation', 'result'],
    collect() {
      this.reset()
      for (const { operation, sweeps } of rows()) {
        for (const result of RESULTS) this.inc({ operation, result }, sweeps[result])
      }
    },
  })
  new Gauge({
    ...{ name: 'legacy_gateway_reference_bytes', help: 'What the lists that are kept take.', registers },
    labelNames: ['operation'],
    collect() {
      for (const { operation, bytes } of rows()) this.set({ operation }, bytes)
    },
  })
}
