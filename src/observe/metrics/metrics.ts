import { collectDefaultMetrics, Registry } from 'prom-client'
import { nextTurn } from '../in-slices.ts'
import type { CallRecord } from '../observe-call.ts'
import type { State } from '../readiness.ts'
import { type TotalCounts, UNKNOWN } from '../traffic.ts'
import { type CountedOperation, callCounter, clientCallsText, registerCallMetrics } from './call-metrics.ts'
import {
  type ConnectionRow,
  type FleetRow,
  type LaneRow,
  type ListRow,
  type MemoryRow,
  registerConnectionMetrics,
  registerListMetrics,
  registerMemoryMetrics,
  registerReplicaMetrics,
  registerServiceMetrics,
} from './gateway-metrics.ts'
import { readMetrics } from './read-metric.ts'
import {
  type ComparisonRow,
  type CutoverRow,
  type Experiments,
  registerComparisonMetrics,
  registerCutoverMetrics,
  registerEvidenceMetrics,
  registerWebhookMetrics,
  type WebhookRow,
} from './side-by-side-metrics.ts'

/** The sources that each scrape reads. */
export interface MetricSources {
  /** All operations. Their counters start at 0, so that the first event is an increase. */
  readonly operations: readonly CountedOperation[]
  /** The state of the gateway and of the services behind it. */
  readonly state: () => Promise<State>
  readonly lanes: () => readonly LaneRow[]
  readonly totals: () => readonly TotalCounts[]
  /** What this process has compared since it started. */
  readonly comparisons: () => Iterable<ComparisonRow>
  /** The evidence of all replicas, and the queue of this one. */
  readonly experiments: () => Promise<Experiments>
  /** The latest news of the gateways that share the state. */
  readonly fleet: () => FleetRow
  readonly lists: () => readonly ListRow[]
  /** Log lines that could not be written. */
  readonly linesDropped: () => number
  /** Exchanges that should have been recorded and were not. */
  readonly recordingsDropped: () => number
  /** Undefined: the gateway does not listen yet. */
  readonly connections: () => ConnectionRow | undefined
  readonly memory: MemoryRow
  /** What became of webhook messages; undefined: none are sent. */
  readonly webhooks: () => WebhookRow | undefined
  /** Where the plans of the rollout file stand. */
  readonly cutover: () => readonly CutoverRow[]
}

export interface Metrics {
  count(call: CallRecord): void
  /** Returns the metrics in Prometheus' text format, with its content type. */
  read(): Promise<{ readonly contentType: string; readonly text: string }>
}

/** Metrics of the client library that are removed: they walk all connections, which takes 100 ms with 9,000 of them. */
const COSTLY = ['handles', 'requests', 'resources'].flatMap((what) => [
  `nodejs_active_${what}`,
  `nodejs_active_${what}_total`,
])

/** Opens metrics by Prometheus' conventions. Labels are bounded: unknown operations share one, and `traffic` limits clients. */
export function openMetrics(sources: MetricSources): Metrics {
  const { operations } = sources
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  for (const name of COSTLY) registry.removeSingleMetric(name)
  const { count, rows } = callCounter([...operations, { operation: UNKNOWN, sides: ['v1', 'legacy'] }])
  registerCallMetrics(registry, rows)
  let lists: readonly ListRow[] = []
  registerListMetrics(registry, () => lists)
  registerConnectionMetrics(registry, sources.connections)
  registerMemoryMetrics(registry, sources.memory)
  registerReplicaMetrics(registry, sources.fleet)
  registerWebhookMetrics(registry, sources.webhooks)
  registerComparisonMetrics(registry, operations, sources.comparisons)
  registerCutoverMetrics(registry, operations, sources.cutover)
  registerServiceMetrics(registry, sources.lanes, sources.state)
  let experiments: Experiments | undefined
  registerEvidenceMetrics(registry, operations, () => experiments as Experiments)
  const { counter } = readMetrics(registry)
  counter('legacy_gateway_log_lines_dropped_total', 'Log lines that could not be written.', [], sources.linesDropped)
  counter(
    'legacy_gateway_recordings_dropped_total',
    'Exchanges that should have been recorded and were dropped.',
    [],
    sources.recordingsDropped,
  )

  return {
    count,
    async read() {
      experiments = await sources.experiments()
      // The registry reads all metrics in one go, and each metric of lists would add up all lists anew.
      await nextTurn()
      lists = sources.lists()
      const text = `${await registry.metrics()}\n${await clientCallsText(sources.totals())}`
      return { contentType: registry.contentType, text }
    },
  }
}
