import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { nextTurn } from '../in-slices.ts'
import type { CallRecord } from '../observe-call.ts'
import type { State } from '../readiness.ts'
import { type TotalCounts, UNKNOWN } from '../traffic.ts'
import { type CountedOperation, callCounter } from './call-counts.ts'
import { registerCallMetrics } from './call-metrics.ts'
import { clientCallsText } from './client-calls.ts'
import { type ComparisonRow, registerComparisonMetrics } from './comparison-metrics.ts'
import { type ConnectionRow, registerConnectionMetrics } from './connection-metrics.ts'
import { type CutoverRow, registerCutoverMetrics } from './cutover-metrics.ts'
import { type ExampleRow, registerExampleMetrics } from './example-metrics.ts'
import { type MemoryRow, registerMemoryMetrics } from './memory-metrics.ts'
import { registerReadCounter } from './read-counter.ts'
import { type ListRow, registerReferenceMetrics } from './reference-metrics.ts'
import { type FleetRow, registerReplicaMetrics } from './replica-metrics.ts'
import { registerWebhookMetrics, type WebhookRow } from './webhook-metrics.ts'

/** The sources that each scrape reads. */
export interface MetricSources {
  /** All operations. Their counters start at 0, so that the first event is an increase. */
  readonly operations: readonly CountedOperation[]
  /** The state of the gateway and of the services behind it. */
  readonly state: () => Promise<State>
  readonly lanes: () => readonly {
    readonly upstream: string
    readonly lane: string
    readonly isOpen: boolean
    readonly running: number
    readonly waiting: number
  }[]
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

interface Experiments {
  readonly operations: readonly {
    readonly operation: string
    readonly verdict: string
  }[]
  readonly queue: { readonly length: number; readonly dropped: number }
  readonly examples: ExampleRow
  readonly rollout: { readonly error: string | null }
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
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  for (const name of COSTLY) registry.removeSingleMetric(name)
  const { count, rows } = callCounter([...sources.operations, { operation: UNKNOWN, sides: ['v1', 'legacy'] }])
  registerCallMetrics(registry, rows)
  let lists: readonly ListRow[] = []
  registerReferenceMetrics(registry, () => lists)
  registerConnectionMetrics(registry, sources.connections)
  registerMemoryMetrics(registry, sources.memory)
  registerReplicaMetrics(registry, sources.fleet)
  registerWebhookMetrics(registry, sources.webhooks)
  registerComparisonMetrics(registry, sources.operations, sources.comparisons)
  registerCutoverMetrics(
    registry,
    sources.operations.filter(({ sides }) => sides.length > 1).map(({ operation }) => operation),
    sources.cutover,
  )
  let experiments: Experiments | undefined
  registerSources(registry, sources, () => experiments as Experiments)
  registerExampleMetrics(registry, () => (experiments as Experiments).examples)

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

/** Registers metrics of values that other parts count already. */
function registerSources(registry: Registry, sources: MetricSources, experiments: () => Experiments): void {
  const { operations, state, lanes } = sources
  const registers = [registry]
  const perLane = (name: string, help: string, of: (lane: ReturnType<typeof lanes>[number]) => number): void => {
    new Gauge({
      ...{ name, help, registers, labelNames: ['upstream', 'lane'] },
      collect() {
        for (const lane of lanes()) this.set({ upstream: lane.upstream, lane: lane.lane }, of(lane))
      },
    })
  }
  perLane('legacy_gateway_upstream_running', 'Calls to a service under way.', ({ running }) => running)
  perLane('legacy_gateway_upstream_waiting', 'Calls to a service waiting for a slot.', ({ waiting }) => waiting)
  perLane('legacy_gateway_breaker_open', '1 while a breaker is open: the service counts as down.', ({ isOpen }) =>
    isOpen ? 1 : 0,
  )
  new Gauge({
    ...{ name: 'legacy_gateway_upstream_up', help: '1 while a service answers as it should.', registers },
    labelNames: ['upstream'],
    async collect() {
      const { v1, legacy } = await state()
      this.set({ upstream: 'v1' }, v1 === 'well' ? 1 : 0)
      if (legacy !== undefined) this.set({ upstream: 'legacy' }, legacy === 'well' ? 1 : 0)
    },
  })
  new Gauge({
    ...{
      name: 'legacy_gateway_rollout_refused',
      help: '1 while the newest version of the rollout file is refused.',
      registers,
    },
    collect() {
      this.set(experiments().rollout.error === null ? 0 : 1)
    },
  })
  new Gauge({
    ...{ name: 'legacy_gateway_operation_ready', help: '1 while the verdict on an operation is ready.', registers },
    labelNames: ['operation'],
    collect() {
      for (const { operation, sides } of operations) if (sides.length > 1) this.set({ operation }, 0)
      for (const { operation, verdict } of experiments().operations)
        this.set({ operation }, verdict === 'ready' ? 1 : 0)
    },
  })
  new Gauge({
    ...{ name: 'legacy_gateway_comparison_queue', help: 'Calls waiting to be compared.', registers },
    collect() {
      this.set(experiments().queue.length)
    },
  })
  const counter = (name: string, help: string, read: () => number): void =>
    registerReadCounter(registry, name, help, read)
  counter(
    'legacy_gateway_comparisons_dropped_total',
    'Calls not compared, because the queue was full, memory short or the gateway overloaded.',
    () => experiments().queue.dropped,
  )
  counter('legacy_gateway_log_lines_dropped_total', 'Log lines that could not be written.', sources.linesDropped)
  counter(
    'legacy_gateway_recordings_dropped_total',
    'Exchanges that should have been recorded and were dropped.',
    sources.recordingsDropped,
  )
}
