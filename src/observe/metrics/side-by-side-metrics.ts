import type { Registry } from 'prom-client'
import type { CountedOperation } from './call-metrics.ts'
import { readMetrics, type Series } from './read-metric.ts'

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
  const { counter } = readMetrics(registry)
  // Operations with one side are never compared.
  const atFirst = comparable(operations).flatMap((operation) =>
    OUTCOMES.map((outcome): Series => [{ operation, outcome }, 0]),
  )
  counter(
    'legacy_gateway_comparisons_total',
    'Calls selected for comparison, by outcome.',
    ['operation', 'outcome'],
    () => [
      ...atFirst,
      ...[...rows()].flatMap(({ operation, outcomes }) =>
        OUTCOMES.map((outcome): Series => [{ operation, outcome }, outcomes[outcome]]),
      ),
    ],
  )
  counter(
    'legacy_gateway_comparisons_unjudged_total',
    'Calls selected for comparison that could not be judged, by cause.',
    ['operation', 'cause'],
    () =>
      [...rows()].flatMap(({ operation, unjudged }) =>
        [...unjudged].map(([cause, times]): Series => [{ operation, cause }, times]),
      ),
  )
  counter(
    'legacy_gateway_assumptions_total',
    'Comparisons that test an assumed mapping line, by result.',
    ['operation', 'part', 'path', 'result'],
    () =>
      [...rows()].flatMap(({ operation, assumptions }) =>
        [...assumptions.values()].flatMap(({ part, legacy: path, held, differed }): readonly Series[] => [
          [{ operation, part, path, result: 'held' }, held],
          [{ operation, part, path, result: 'differed' }, differed],
        ]),
      ),
  )
}

/** What became of an operation's writes for a copy of v1. */
export interface CopyRow {
  readonly operation: string
  /** `compared`, or why they were not. */
  readonly outcomes: ReadonlyMap<string, number>
}

/** Registers the writes of this process that were for a copy of v1. */
export function registerCopyMetrics(registry: Registry, rows: () => Iterable<CopyRow>): void {
  readMetrics(registry).counter(
    'legacy_gateway_copied_writes_total',
    'Writes for the copy of v1, by outcome: compared, or why not.',
    ['operation', 'outcome'],
    () =>
      [...rows()].flatMap(({ operation, outcomes }) =>
        [...outcomes].map(([outcome, times]): Series => [{ operation, outcome }, times]),
      ),
  )
}

/** The evidence of all replicas, and the queue and the examples of this one. */
export interface Experiments {
  readonly operations: readonly { readonly operation: string; readonly verdict: string }[]
  readonly queue: { readonly length: number; readonly dropped: number }
  readonly examples: {
    /** The memory that they take; bytes. */
    readonly bytes: number
    /** Values that were cut, and examples that were not kept, since the start. */
    readonly cut: number
    readonly dropped: number
  }
  readonly rollout: { readonly error: string | null }
  readonly mapping: { readonly error: string | null }
}

/** Registers the metrics of the evidence. @param read returns what was read for this scrape. */
export function registerEvidenceMetrics(
  registry: Registry,
  operations: readonly CountedOperation[],
  read: () => Experiments,
): void {
  const { counter, gauge } = readMetrics(registry)
  gauge('legacy_gateway_rollout_refused', '1 while the newest version of the rollout file is refused.', [], () =>
    read().rollout.error === null ? 0 : 1,
  )
  gauge('legacy_gateway_mapping_refused', '1 while the newest version of the mapping file is refused.', [], () =>
    read().mapping.error === null ? 0 : 1,
  )
  gauge('legacy_gateway_operation_ready', '1 while the verdict on an operation is ready.', ['operation'], () => {
    const ready = new Set(
      read().operations.flatMap(({ operation, verdict }) => (verdict === 'ready' ? [operation] : [])),
    )
    const all = [...comparable(operations), ...read().operations.map(({ operation }) => operation)]
    return [...new Set(all)].map((operation) => [{ operation }, ready.has(operation) ? 1 : 0])
  })
  gauge('legacy_gateway_comparison_queue', 'Calls waiting to be compared.', [], () => read().queue.length)
  counter(
    'legacy_gateway_comparisons_dropped_total',
    'Calls not compared, because the queue was full, memory short or the gateway overloaded.',
    [],
    () => read().queue.dropped,
  )
  gauge('legacy_gateway_examples_bytes', 'Memory that examples of differences take.', [], () => read().examples.bytes)
  counter(
    'legacy_gateway_examples_cut_total',
    'Values of examples that were cut because they were too long.',
    [],
    () => read().examples.cut,
  )
  counter(
    'legacy_gateway_examples_dropped_total',
    'Examples that were not kept, or gave way to later ones, for lack of room.',
    [],
    () => read().examples.dropped,
  )
}

/** Where a plan stands at this replica. */
export interface CutoverRow {
  readonly operation: string
  readonly state: string
  readonly percent: number
  /** How often the brake has tripped at this replica since it started. */
  readonly brakes: number
}

const STATES = ['waiting', 'running', 'awaiting approval', 'paused', 'stopped', 'done'] as const

/** Registers metrics of the plans in the rollout file. Metrics that alerts query start at 0, before there is a plan. */
export function registerCutoverMetrics(
  registry: Registry,
  operations: readonly CountedOperation[],
  rows: () => readonly CutoverRow[],
): void {
  const { counter, gauge } = readMetrics(registry)
  gauge('legacy_gateway_cutover_percent', 'Percentage of clients that v1 answers by the plan.', ['operation'], () =>
    rows().map(({ operation, percent }) => [{ operation }, percent]),
  )
  gauge('legacy_gateway_cutover_state', '1 for the state that a plan is in, else 0.', ['operation', 'state'], () => [
    ...comparable(operations).map((operation): Series => [{ operation, state: 'stopped' }, 0]),
    ...rows().flatMap(({ operation, state: now }) =>
      STATES.map((state): Series => [{ operation, state }, now === state ? 1 : 0]),
    ),
  ])
  counter(
    'legacy_gateway_cutover_brakes_total',
    'How often the brake has tripped at this replica.',
    ['operation'],
    () => [
      ...comparable(operations).map((operation): Series => [{ operation }, 0]),
      ...rows().map(({ operation, brakes }): Series => [{ operation }, brakes]),
    ],
  )
}

/** What one process did with webhook messages. */
export interface WebhookRow {
  readonly delivered: number
  readonly failedAttempts: number
  readonly givenUp: number
  readonly oldestSeconds: number
}

const NONE: WebhookRow = { delivered: 0, failedAttempts: 0, givenUp: 0, oldestSeconds: 0 }

/** Registers the metrics of webhooks. They are 0 where none are sent, so that the first event is an increase. */
export function registerWebhookMetrics(registry: Registry, row: () => WebhookRow | undefined): void {
  const { counter, gauge } = readMetrics(registry)
  counter(
    'legacy_gateway_webhook_messages_total',
    'Webhook messages that were delivered or given up, and attempts that failed.',
    ['outcome'],
    () => {
      const { delivered, failedAttempts, givenUp } = row() ?? NONE
      return [
        [{ outcome: 'delivered' }, delivered],
        [{ outcome: 'failed_attempt' }, failedAttempts],
        [{ outcome: 'given_up' }, givenUp],
      ]
    },
  )
  gauge(
    'legacy_gateway_webhook_oldest_seconds',
    'How long the oldest webhook message that this replica is to send has waited.',
    [],
    () => (row() ?? NONE).oldestSeconds,
  )
}

/** The operations that both sides may answer. */
const comparable = (operations: readonly CountedOperation[]): readonly string[] =>
  operations.flatMap(({ operation, sides }) => (sides.length > 1 ? [operation] : []))
