import { Counter, type Registry } from 'prom-client'
import type { CountedOperation } from './call-counts.ts'

const OUTCOMES = ['matched', 'ignored', 'mismatched', 'failed', 'skipped'] as const

/** What this process has compared of an operation since it started. */
export interface ComparisonRow {
  readonly operation: string
  readonly outcomes: Readonly<Record<(typeof OUTCOMES)[number], number>>
  /** By cause. */
  readonly unjudged: ReadonlyMap<string, number>
  readonly assumptions: ReadonlyMap<
    string,
    { readonly part: string; readonly legacy: string; readonly held: number; readonly differed: number }
  >
}

/** Registers the comparisons of this process alone: the sum over all replicas is the truth, and no counter ever falls. */
export function registerComparisonMetrics(
  registry: Registry,
  operations: readonly CountedOperation[],
  rows: () => Iterable<ComparisonRow>,
): void {
  const registers = [registry]
  new Counter({
    ...{ name: 'legacy_gateway_comparisons_total', help: 'Calls selected for comparison, by outcome.', registers },
    labelNames: ['operation', 'outcome'],
    collect() {
      this.reset()
      for (const { operation, sides } of operations) {
        // Operations with one side are never compared.
        if (sides.length > 1) for (const outcome of OUTCOMES) this.inc({ operation, outcome }, 0)
      }
      for (const { operation, outcomes } of rows()) {
        for (const outcome of OUTCOMES) this.inc({ operation, outcome }, outcomes[outcome])
      }
    },
  })
  new Counter({
    ...{
      name: 'legacy_gateway_comparisons_unjudged_total',
      help: 'Calls selected for comparison that could not be judged, by cause.',
      registers,
    },
    labelNames: ['operation', 'cause'],
    collect() {
      this.reset()
      for (const { operation, unjudged } of rows()) {
        for (const [cause, times] of unjudged) this.inc({ operation, cause }, times)
      }
    },
  })
  new Counter({
    ...{
      name: 'legacy_gateway_assumptions_total',
      help: 'Comparisons that test an assumed mapping line, by result.',
      registers,
    },
    labelNames: ['operation', 'part', 'path', 'result'],
    collect() {
      this.reset()
      for (const { operation, assumptions } of rows()) {
        for (const { part, legacy: path, held, differed } of assumptions.values()) {
          this.inc({ operation, part, path, result: 'held' }, held)
          this.inc({ operation, part, path, result: 'differed' }, differed)
        }
      }
    },
  })
}
