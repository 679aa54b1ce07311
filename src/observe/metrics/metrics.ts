import { collectDefaultMetrics, Registry } from 'prom-client'
import type { ControlPlaneState } from '../../planes/messages.ts'
import type { CallRecord } from '../observe-call.ts'
import { type TotalCounts, UNKNOWN } from '../traffic.ts'
import { type CountedOperation, callCounter, registerCallMetrics, registerClientMetrics } from './call-metrics.ts'
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
  type CopyRow,
  type CutoverRow,
  type Experiments,
  registerComparisonMetrics,
  registerCopyMetrics,
  registerCutoverMetrics,
  registerEvidenceMetrics,
  registerWebhookMetrics,
  type WebhookRow,
} from './side-by-side-metrics.ts'

/** What the metrics of the data plane read on each scrape. */
export interface DataMetricSources {
  /** All operations. Their counters start at 0, so that the first event is an increase. */
  readonly operations: readonly CountedOperation[]
  readonly lanes: () => readonly LaneRow[]
  /** Whether each service answers as it should. */
  readonly areWell: () => Promise<Readonly<Record<string, boolean>>>
  readonly lists: () => readonly ListRow[]
  /** Log lines that could not be written. */
  readonly linesDropped: () => number
  /** Undefined: the gateway does not listen yet. */
  readonly connections: () => ConnectionRow | undefined
  readonly memory: () => MemoryRow
  readonly controlPlane: () => ControlPlaneState
}

/** The metrics of the data plane. */
export interface DataMetrics {
  count(call: CallRecord): void
  /** Returns the metrics in Prometheus' text format. */
  read(): Promise<string>
}

/** Metrics of the client library that are removed: they walk all connections, which takes 100 ms with 9,000 of them. */
const COSTLY = ['handles', 'requests', 'resources'].flatMap((what) => [
  `nodejs_active_${what}`,
  `nodejs_active_${what}_total`,
])

/** Opens the metrics of calls, services, connections and memory, and those of the process. */
export function openDataMetrics(sources: DataMetricSources): DataMetrics {
  const { operations, controlPlane } = sources
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  for (const name of COSTLY) registry.removeSingleMetric(name)
  const { count, rows } = callCounter([...operations, { operation: UNKNOWN, sides: ['v1', 'legacy'] }])
  registerCallMetrics(registry, rows)
  let lists: readonly ListRow[] = []
  registerListMetrics(registry, () => lists)
  registerConnectionMetrics(registry, sources.connections)
  registerMemoryMetrics(registry, sources.memory)
  registerServiceMetrics(registry, sources.lanes, sources.areWell)
  const { counter } = readMetrics(registry)
  counter('legacy_gateway_log_lines_dropped_total', 'Log lines that could not be written.', [], sources.linesDropped)
  counter(
    'legacy_gateway_control_plane_restarts_total',
    'How often the control plane ended and was started again.',
    [],
    () => controlPlane().restarts,
  )
  counter(
    'legacy_gateway_control_plane_lost_total',
    'Exchanges not judged and calls not counted, because the control plane did not keep up or ended.',
    ['what'],
    () => Object.entries(controlPlane().lost).map(([what, count]) => [{ what }, count]),
  )
  return {
    count,
    async read() {
      // Each metric of lists would add up all lists anew.
      lists = sources.lists()
      return registry.metrics()
    },
  }
}

/** What the metrics of the control plane read on each scrape. */
export interface MetricSources {
  /** This gateway's version. */
  readonly version: string
  /** All operations. Their counters start at 0, so that the first event is an increase. */
  readonly operations: readonly CountedOperation[]
  /** Returns the metrics of the data plane. */
  readonly dataPlane: () => Promise<string>
  readonly totals: () => readonly TotalCounts[]
  /** What this process has compared since it started. */
  readonly comparisons: () => Iterable<ComparisonRow>
  /** What became of the writes that this process has sent to a copy of v1; undefined: there is none. */
  readonly copied: (() => Iterable<CopyRow>) | undefined
  /** The evidence of all replicas, and the queue of this one. */
  readonly experiments: () => Promise<Experiments>
  /** The latest news of the gateways that share the state. */
  readonly fleet: () => FleetRow
  /** Exchanges that should have been recorded and were not. */
  readonly recordingsDropped: () => number
  /** What became of webhook messages; undefined: none are sent. */
  readonly webhooks: () => WebhookRow | undefined
  /** Where the plans of the rollout file stand. */
  readonly cutover: () => readonly CutoverRow[]
}

export interface Metrics {
  /** Returns the metrics of both planes in Prometheus' text format, with its content type. */
  read(): Promise<{ readonly contentType: string; readonly text: string }>
}

/** Opens metrics by Prometheus' conventions. Labels are bounded: unknown operations share one, and `traffic` limits clients. */
export function openMetrics(sources: MetricSources): Metrics {
  const { operations } = sources
  const registry = new Registry()
  const { gauge, counter } = readMetrics(registry)
  gauge(
    'legacy_gateway_build_info',
    'The version of the gateway and of the Node.js that runs it. Always 1.',
    ['version', 'node'],
    () => [[{ version: sources.version, node: process.versions.node }, 1]],
  )
  registerReplicaMetrics(registry, sources.fleet)
  registerWebhookMetrics(registry, sources.webhooks)
  registerComparisonMetrics(registry, operations, sources.comparisons)
  if (sources.copied !== undefined) registerCopyMetrics(registry, sources.copied)
  registerCutoverMetrics(registry, operations, sources.cutover)
  let experiments: Experiments | undefined
  registerEvidenceMetrics(registry, operations, () => experiments as Experiments)
  counter(
    'legacy_gateway_recordings_dropped_total',
    'Exchanges that should have been recorded and were dropped.',
    [],
    sources.recordingsDropped,
  )
  registerClientMetrics(registry, sources.totals)
  return {
    async read() {
      experiments = await sources.experiments()
      const texts = [await sources.dataPlane(), await registry.metrics()]
      return { contentType: registry.contentType, text: texts.join('\n') }
    },
  }
}
