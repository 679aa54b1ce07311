import type { Registry } from 'prom-client'
import { readMetrics } from './read-metric.ts'

/** A lane of calls to a service. */
export interface LaneRow {
  readonly upstream: string
  readonly lane: string
  readonly isOpen: boolean
  readonly running: number
  readonly waiting: number
}

/** Registers the metrics of calls to services. */
export function registerServiceMetrics(
  registry: Registry,
  lanes: () => readonly LaneRow[],
  areWell: () => Promise<Readonly<Record<string, boolean>>>,
): void {
  const { gauge } = readMetrics(registry)
  const perLane = (name: string, help: string, of: (row: LaneRow) => number): void =>
    gauge(name, help, ['upstream', 'lane'], () =>
      lanes().map((row) => [{ upstream: row.upstream, lane: row.lane }, of(row)]),
    )
  perLane('legacy_gateway_upstream_running', 'Calls to a service under way.', ({ running }) => running)
  perLane('legacy_gateway_upstream_waiting', 'Calls to a service waiting for a slot.', ({ waiting }) => waiting)
  perLane('legacy_gateway_breaker_open', '1 while a breaker is open: the service counts as down.', ({ isOpen }) =>
    isOpen ? 1 : 0,
  )
  gauge('legacy_gateway_upstream_up', '1 while a service answers as it should.', ['upstream'], async () =>
    Object.entries(await areWell()).map(([upstream, isWell]) => [{ upstream }, isWell ? 1 : 0]),
  )
}

/** The connections of clients. */
export interface ConnectionRow {
  readonly open: number
  readonly limit: number
  readonly waiting: number
  readonly closedIdle: number
  readonly turnedAway: number
  readonly unreadable: number
}

/** Registers the metrics of connections. @param row undefined: the gateway does not listen yet. */
export function registerConnectionMetrics(registry: Registry, row: () => ConnectionRow | undefined): void {
  const { counter, gauge } = readMetrics(registry)
  gauge('legacy_gateway_connections', 'Client connections being served.', [], () => row()?.open)
  gauge('legacy_gateway_connections_limit', 'Maximum number of connections served at a time.', [], () => row()?.limit)
  gauge('legacy_gateway_connections_waiting', 'New connections waiting for room.', [], () => row()?.waiting)
  counter(
    'legacy_gateway_connections_closed_idle_total',
    'Idle connections closed to make room for new ones.',
    [],
    () => row()?.closedIdle,
  )
  counter(
    'legacy_gateway_connections_turned_away_total',
    'New connections turned away for lack of room.',
    [],
    () => row()?.turnedAway,
  )
  counter(
    'legacy_gateway_unreadable_requests_total',
    'Connections closed because what arrived could not be read as a request.',
    [],
    () => row()?.unreadable,
  )
}

/** The memory budget; in bytes. */
export interface MemoryRow {
  readonly limit: number
  readonly used: number
  readonly waiting: number
  /** How often memory was refused, by purpose. */
  readonly refused: Readonly<Record<'request' | 'answer' | 'comparison' | 'recording', number>>
}

export function registerMemoryMetrics(registry: Registry, memory: () => MemoryRow): void {
  const { counter, gauge } = readMetrics(registry)
  gauge(
    'legacy_gateway_memory_limit_bytes',
    'Memory budget for bodies, answers, comparisons and recordings.',
    [],
    () => memory().limit,
  )
  gauge('legacy_gateway_memory_used_bytes', 'Part of the memory budget in use.', [], () => memory().used)
  gauge('legacy_gateway_memory_waiting', 'Bodies and answers waiting for memory.', [], () => memory().waiting)
  counter('legacy_gateway_memory_refused_total', 'Refusals for lack of memory, by purpose.', ['what'], () =>
    Object.entries(memory().refused).map(([what, count]) => [{ what }, count]),
  )
}

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

/** Registers the metrics of reference lists. */
export function registerListMetrics(registry: Registry, rows: () => readonly ListRow[]): void {
  const { counter, gauge } = readMetrics(registry)
  const perOperation = (of: (row: ListRow) => number) => () =>
    rows().map((row) => [{ operation: row.operation }, of(row)] as const)
  counter(
    'legacy_gateway_reference_hits_total',
    'Answers from a cached list.',
    ['operation'],
    perOperation(({ hits }) => hits),
  )
  counter(
    'legacy_gateway_reference_stale_answers_total',
    'Answers from an expired list, because v1 failed.',
    ['operation'],
    perOperation(({ staleAnswers }) => staleAnswers),
  )
  counter(
    'legacy_gateway_reference_refresh_failures_total',
    'Failed attempts to refresh a list before it expires.',
    ['operation'],
    perOperation(({ refreshFailures }) => refreshFailures),
  )
  counter(
    'legacy_gateway_reference_list_counts_disagree_total',
    'Lists read from v1 whose number of rows differs from the count v1 gave.',
    ['operation'],
    perOperation(({ countsDisagree }) => countsDisagree),
  )
  counter(
    'legacy_gateway_reference_sweeps_total',
    'Attempts to read a whole list from v1, by result.',
    ['operation', 'result'],
    () =>
      rows().flatMap(({ operation, sweeps }) =>
        (['changed', 'unchanged', 'failed'] as const).map((result) => [{ operation, result }, sweeps[result]] as const),
      ),
  )
  gauge(
    'legacy_gateway_reference_bytes',
    'Memory that the cached lists take.',
    ['operation'],
    perOperation(({ bytes }) => bytes),
  )
}

/** The latest news of the gateways that share the state. */
export interface FleetRow {
  readonly engine: { readonly state: 'ok' | 'degraded' }
  /** The id of this replica. */
  readonly self: string
  readonly replicas: readonly {
    readonly id: string
    readonly build: string
    readonly mapping: string
    readonly rollout: string | null
    readonly clockOffsetMs: number
  }[]
}

/** Registers metrics of the fleet. Each replica reports its own view, so that an alert can name the one that is cut off. */
export function registerReplicaMetrics(registry: Registry, fleet: () => FleetRow): void {
  const { gauge } = readMetrics(registry)
  gauge(
    'legacy_gateway_state_store_up',
    '1 while comparison results can be stored; 0 while the state is degraded.',
    [],
    () => (fleet().engine.state === 'ok' ? 1 : 0),
  )
  gauge(
    'legacy_gateway_replicas',
    'Gateways that share the state, this one included.',
    [],
    () => fleet().replicas.length,
  )
  gauge(
    'legacy_gateway_replica_clock_offset_seconds',
    "How far the clock of this replica is ahead of the database's.",
    [],
    () => {
      const { self, replicas } = fleet()
      return (replicas.find(({ id }) => id === self)?.clockOffsetMs ?? 0) / 1_000
    },
  )
  gauge(
    'legacy_gateway_replica_versions',
    'How many different versions the replicas run: of the build, the mappings, the rollout file.',
    ['of'],
    () => {
      const { replicas } = fleet()
      return (['build', 'mapping', 'rollout'] as const).map((of) => [
        { of },
        new Set(replicas.map((replica) => replica[of])).size,
      ])
    },
  )
}
